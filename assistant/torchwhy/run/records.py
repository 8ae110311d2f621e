"""What the programs of a run left in its folder, read as what it is: files of a stranger's program.

Nothing but a plain file is opened, no more than its end is read, and what a record holds is what a record may
hold: fields of the right type, texts that act on no terminal.
"""

from __future__ import annotations

import json
import math
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from torchwhy.runtime.json_types import JSONObject
from torchwhy.text.plain import harmless

MAX_BYTES = 1 << 20  # of a file; of a longer report the end
MAX_TEXT_CHARS = 20_000  # of a message, or a line, in a record
MAX_ERRORS, MAX_FRAMES, MAX_OPERANDS, MAX_ITEMS = 8, 80, 32, 64
MAX_INTEGER = 1 << 63
Item = TypeVar("Item")


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


def read_record(path: str | Path) -> JSONObject | None:
    """A record; None where the file holds none."""
    try:
        return checked(json.loads(read_file(path)))
    except (ValueError, RecursionError):
        return None


def checked(record: object) -> JSONObject | None:
    """The record with what its fields may hold; None where it describes no error."""
    if not isinstance(record, dict) or not isinstance(record.get("errors"), list):
        return None
    found = [_error(error) for error in record["errors"][:MAX_ERRORS] if isinstance(error, dict)]
    return {
        "how": _line(record.get("how")) or "",
        "rank": _integer(record.get("rank")),
        "thread": _line(record.get("thread")) or "",
        "time": _number(record.get("time")) or 0.0,
        "executable": _line(record.get("executable")) or "",
        "errors": found,
    }


def _error(error: Mapping[str, object]) -> JSONObject:
    frames = [_frame(each) for each in _list(error.get("frames"))[:MAX_FRAMES]]
    place = _integer(error.get("here"))
    operands = [_operand(each) for each in _list(error.get("operands"))[:MAX_OPERANDS]]
    return {
        "exception": _line(error.get("exception")) or "",
        "message": _text(error.get("message")) or "",
        "frames": frames,
        "here": place if place is not None and 0 <= place < len(frames) and frames[place] else None,
        "operands": [each for each in operands if each is not None and each.get("name")],
    }


def _frame(frame: object) -> JSONObject:
    if not isinstance(frame, dict) or not frame.get("file"):
        return {}
    columns = _integers(frame.get("columns"))
    return {
        "file": _line(frame.get("file")) or "?",
        "line": _integer(frame.get("line")) or 0,
        "function": _line(frame.get("function")) or "",
        "code": _line(frame.get("code")) or "",
        "library": frame.get("library") is True,
        "expression": _text(frame.get("expression")),
        "columns": columns if columns is not None and len(columns) == 2 else None,
    }


def _operand(operand: object, deep: bool = True) -> JSONObject | None:
    """An operand with those of its fields that have the right type; None where one is missing that its kind
    has.
    """
    if not isinstance(operand, dict):
        return None
    result: JSONObject = {}
    for name, value in operand.items():
        read = READ.get(name)
        known = read(value) if read else None
        if known is not None or (read is not None and value is None):
            result[name] = known
    if deep and "elements" in operand:
        parts = (_operand(each, False) for each in _list(operand["elements"])[:MAX_ITEMS])
        result["elements"] = [each for each in parts if each is not None]
    kind = result.get("kind")
    if kind == "loader":
        result = {"batch_size": None, "workers": None, **result}
    needed = NEEDED.get(str(kind), ())
    return result if kind and all(result.get(name) is not None for name in needed) else None


def _text(value: object) -> str | None:
    return harmless(value[:MAX_TEXT_CHARS]) if isinstance(value, str) else None


def _line(value: object) -> str | None:
    text = _text(value)
    return None if text is None else " ".join(text.splitlines())


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and abs(value) < MAX_INTEGER else None


def _number(value: object) -> float | None:
    if not isinstance(value, int | float) or abs(value) > MAX_INTEGER or math.isnan(value):
        return None
    return float(value)


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _value(value: object) -> object:
    """Of a number its value: a float as `repr` writes it, a device by its name."""
    return _line(value) if isinstance(value, str) else _integer(value)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _integers(value: object) -> list[int] | None:
    return _all(value, _integer)


def _lines(value: object) -> list[str] | None:
    return _all(value, _line)


def _rates(value: object) -> list[float | None] | None:
    return [_number(each) for each in value[:MAX_ITEMS]] if isinstance(value, list) else None


def _all(value: object, read: Callable[[object], Item | None]) -> list[Item] | None:
    """A list all of whose items can be read; None for anything else."""
    if not isinstance(value, list):
        return None
    items = [read(each) for each in value[:MAX_ITEMS]]
    known = [each for each in items if each is not None]
    return known if len(known) == len(items) else None


def _parameters(value: object) -> list[list[object]] | None:
    """Names with shapes."""
    pairs = [each for each in _list(value)[:MAX_ITEMS] if isinstance(each, list) and len(each) == 2]
    return [[_line(name), _integers(shape)] for name, shape in pairs]


# How each field of an operand is read, and which of them a kind always has.
READ: Mapping[str, Callable[[object], object]] = {
    **dict.fromkeys(("name", "kind", "dtype", "device", "layout", "grad_fn", "class", "settings"), _line),
    **dict.fromkeys(("of", "into", "within", "dataset"), _line),
    **dict.fromkeys(("requires_grad", "leaf", "training"), _flag),
    **dict.fromkeys(
        ("length", "groups", "batch_size", "workers", "dataset_length", "parameter_count"), _integer
    ),
    **dict.fromkeys(("shape", "stride", "parameter_counts"), _integers),
    **dict.fromkeys(("devices", "dtypes"), _lines),
    "lrs": _rates,
    "parameters": _parameters,
    "value": _value,
}
NEEDED = {
    "module": ("class",),
    "optimizer": ("class", "groups", "lrs"),
    "loader": ("class", "dataset"),
    "str": ("length",),
    "bytes": ("length",),
}
