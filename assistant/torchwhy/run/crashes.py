"""What the programs of a run left in its folder (`child/crash_context.py`): plain files, no more than their
end, texts that act on no terminal; and which of it an answer is about.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from torchwhy.paste.paste import Found, Paste
from torchwhy.runtime.json_types import JSONObject
from torchwhy.text.plain import harmless

from .frame_record import FrameRecord

MIN_SCORE = 4.0  # of a record that is about an error of the text
COMPARED_CHARS = 300  # of two messages
MAX_BYTES = 1 << 20  # of a file; of a longer report the end
MAX_RECORDS = 256  # the newest: a run may start a worker that dies for each batch, for days
SEVERAL_LINES = ("message", "expression")


def read_file(path: str | Path, start: int = 0) -> bytes:
    """The end of a plain file, from `start` on; of all else nothing. Never raises or waits."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return b""
            file.seek(max(start, status.st_size - MAX_BYTES))
            return file.read(MAX_BYTES) or b""
    except OSError:
        return b""


def read_records(folder: str) -> list[JSONObject]:
    """Every exception that was written down, in the order of time; what cannot be read is left out."""
    records = []
    found = sorted(Path(folder).glob("crash-*.json"), key=lambda path: path.lstat().st_mtime)
    for path in found[-MAX_RECORDS:]:
        try:
            record = json.loads(read_file(path))
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and "errors" in record:
            records.append(shown(record))
    return sorted(records, key=lambda record: float(record["time"]))


def shown(value: Any, name: str = "") -> Any:
    """A record, or a part of it called `name`, as it may be printed."""
    if isinstance(value, str):
        text = harmless(value)
        return text if name in SEVERAL_LINES else " ".join(text.splitlines())
    if isinstance(value, list):
        return [shown(part, name) for part in value]
    return {key: shown(part, key) for key, part in value.items()} if isinstance(value, dict) else value


def find_frame(records: Sequence[JSONObject], paste: Paste) -> FrameRecord | None:
    """Where the text's leading error was raised, with the operands; without a record of it, from the text
    alone.
    """
    root = paste.root
    found = _leading(records, root)
    if found is None:
        return _from_text(root)
    record, error = found
    frame = _frame(record, error)
    if frame is not None:
        return frame
    # raised in a library of a worker: the user's line is that of the process which waited for it
    others = [item for item in record["errors"] if item is not error]
    waiting = [item for other in records for item in other["errors"] if _carries(item, error)]
    for other in [*waiting, *others]:
        place = _frame(record, other)
        if place is not None:
            return place.with_operands(error["operands"])
    return _from_text(root) or _frame(record, error, last=True)


def find_python(records: Sequence[JSONObject], paste: Paste) -> str:
    """The Python of the program that raised the text's leading error; "" without a record of it."""
    found = _leading(records, paste.root)
    return str(found[0]["executable"]) if found else ""


def _leading(records: Sequence[JSONObject], root: Found | None) -> tuple[JSONObject, JSONObject] | None:
    """The record, and in it the exception, that is about the error that leads in the text."""
    scored = [
        (_score(record, error, root), number, record, error)
        for number, record in enumerate(records)
        for error in record["errors"]
    ]
    scored.sort(key=lambda item: item[:2], reverse=True)
    return scored[0][2:] if scored and scored[0][0] >= MIN_SCORE else None


def _score(record: JSONObject, error: JSONObject, root: Found | None) -> float:
    """How well a described exception fits the error that leads in the text."""
    score = 0.5 if error.get("here") is not None else 0.0
    if root is None:
        return score + MIN_SCORE
    if str(error.get("exception", "")).rpartition(".")[2] == root.name:
        score += 2
    mine, theirs = _flat(error.get("message")), _flat(root.message)
    # a message may be cut where it is shown (pytest's summary), and ends in a text where another block seems
    # to begin
    head = _flat(root.message.partition("\n")[0]).removesuffix("...")
    if mine and theirs:
        score += 4 if mine.startswith((theirs, head or theirs)) else 2 if theirs[:100] in mine else 0
    elif mine == theirs:
        score += 2.5
    frame = root.frames[-1] if root.frames else None
    places = [(part.get("file"), part.get("line")) for part in error["frames"][-1:] if part]
    if frame is not None and (frame.file, frame.line) in places:
        score += 2
    if root.rank is not None and record.get("rank") == root.rank:
        score += 1
    return score


def _carries(outer: JSONObject, inner: JSONObject) -> bool:
    message = _flat(inner.get("message"))
    return outer is not inner and bool(message) and message in " ".join(str(outer.get("message")).split())


def _flat(text: object) -> str:
    return " ".join(str(text or "").split())[:COMPARED_CHARS]


def _frame(record: JSONObject, error: JSONObject, last: bool = False) -> FrameRecord | None:
    place = error.get("here")
    if place is None and last and error["frames"]:
        place = len(error["frames"]) - 1
    if not isinstance(place, int):
        return None
    frame = error["frames"][place]
    return FrameRecord(
        file=frame["file"],
        line=frame["line"],
        function=frame["function"],
        code=frame["code"],
        expression=frame.get("expression"),
        columns=_pair(frame.get("columns")),
        operands=tuple(error.get("operands") or ()),
        rank=record.get("rank"),
        thread=record.get("thread") or "",
        sample=error.get("sample"),
    )


def _pair(columns: object) -> tuple[int, int] | None:
    return (int(columns[0]), int(columns[1])) if isinstance(columns, list) and len(columns) == 2 else None


def _from_text(root: Found | None) -> FrameRecord | None:
    frame = root.user_frame if root is not None else None
    if root is None or frame is None:
        return None
    return FrameRecord(frame.file, frame.line, frame.function, frame.code, rank=root.told_rank)


def text_of(records: Iterable[JSONObject]) -> str:
    """The last uncaught exception as a traceback: for a program that prints none."""
    ordered = sorted(records, key=lambda record: float(record["time"]))
    if not ordered or not ordered[-1]["errors"]:
        return ""
    error = ordered[-1]["errors"][0]
    lines = ["Traceback (most recent call last):"]
    for frame in filter(None, error["frames"]):
        lines += [
            f'  File "{frame["file"]}", line {frame["line"]}, in {frame["function"]}',
            f"    {frame['code']}",
        ]
    return "\n".join([*lines, f"{error['exception']}: {error['message']}"]) + "\n"
