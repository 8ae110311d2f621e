"""What the programs of a run saw of their training: guards handed to them, findings read while they train."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeGuard

from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.runtime.json_types import JSONObject
from torchwhy.text.plain import harmless

from .records import MAX_INTEGER, read_file

MAX_FINDINGS, MAX_MESSAGE_CHARS, MAX_POINTS = 100, 1000, 400
MAX_GUARDS, MAX_FIGURES, MAX_NAME_CHARS, MAX_WHY_CHARS = 500, 50, 4096, 200
MAX_FILES = 4096  # of so many processes what they tell is read
MAX_NEWS_BYTES = 8 << 20  # read in one look, which the program's output waits for
MAX_LINE_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class WatchFinding:
    """One thing that a guard saw. `step`: optimizer steps before it. `rank`: None without torchrun."""

    id: str
    path: str
    line: int
    step: int
    message: str
    rank: int | None = None

    def as_json(self) -> JSONObject:
        return {
            "id": self.id,
            "path": self.path,
            "line": self.line,
            "step": self.step,
            "message": self.message,
            **({} if self.rank is None else {"rank": self.rank}),
        }


@dataclass(slots=True)
class Watched:
    """Of one run: what was found, which guards went off, and the figures of the process that stepped most."""

    folder: str
    findings: list[WatchFinding] = field(default_factory=list)
    off: dict[str, str] = field(default_factory=dict)
    summary: JSONObject = field(default_factory=dict)
    _read: dict[str, int] = field(default_factory=dict)

    def news(self) -> tuple[list[WatchFinding], list[str]]:
        """What came since the last call: findings, and the lines of guards that were switched off."""
        found, lines = [], []
        left = MAX_NEWS_BYTES
        for path in sorted(Path(self.folder).glob("watch-*.jsonl"))[:MAX_FILES]:
            data = read_file(path, self._read.get(path.name, 0)) if left > 0 else b""
            left -= len(data)
            whole = data[: data.rfind(b"\n") + 1]
            if not whole and len(data) > MAX_LINE_BYTES:  # no guard writes such a line
                whole = data
            self._read[path.name] = self._read.get(path.name, 0) + len(whole)
            for line in whole.decode("utf-8", "replace").splitlines():
                record = _object(line)
                if isinstance(record.get("off"), str):
                    name = _plain(str(record["off"]))
                    if name not in self.off and len(self.off) < MAX_GUARDS:
                        self.off[name] = _plain(str(record.get("message", "")))[:MAX_WHY_CHARS]
                        lines.append(name)
                elif (finding := _finding(record)) is not None and self._is_new(finding):
                    self.findings.append(finding)
                    found.append(finding)
        return found, lines

    def _is_new(self, finding: WatchFinding) -> bool:
        """Each once, not for every rank."""
        key = (finding.id, finding.path, finding.line)
        known = any((one.id, one.path, one.line) == key for one in self.findings)
        return not known and len(self.findings) < MAX_FINDINGS

    def end(self) -> None:
        """Read the figures of the process that made most steps."""
        best = -1
        for path in sorted(Path(self.folder).glob("watch-*.json"))[:MAX_FILES]:
            told = _object(read_file(path).decode("utf-8", "replace"))
            steps = told.get("steps")
            if _is_whole(steps) and steps > best and path.name != "watch.json":
                best, self.summary = steps, _summary(told)

    @property
    def saw_training(self) -> bool:
        return bool(self.summary.get("steps") or self.summary.get("backwards"))

    def as_json(self) -> JSONObject:
        findings: list[object] = [one.as_json() for one in self.findings]
        return {"findings": findings, "off": dict(self.off), **self.summary}


def guard_files(roots: Iterable[Path] | None = None) -> list[str]:
    """The guards of these knowledge bases; of the shipped one where none is named."""
    chosen = list(roots) if roots is not None else knowledge_roots("")[:1]
    return [str(path) for root in chosen for path in sorted(root.glob("*/*/guard.py"))]


def prepare(folder: str, language: str, own: Iterable[str] = ()) -> None:
    """Write down for the programs of a run which guards they load, the shipped ones and these `own` ones, and
    how findings are worded.
    """
    with open(os.path.join(folder, "watch.json"), "w", encoding="utf-8") as file:
        json.dump({"guards": [*guard_files(), *own], "language": language}, file)


def _object(text: str) -> JSONObject:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _finding(record: Mapping[str, object]) -> WatchFinding | None:
    """A finding with fields of the right type; None for anything else: a stranger's program wrote it."""
    name, path, line, step = (record.get(key) for key in ("id", "path", "line", "step"))
    message, rank = record.get("message"), record.get("rank")
    if not (isinstance(name, str) and isinstance(path, str) and isinstance(message, str)):
        return None
    if not (_is_whole(line) and _is_whole(step)):
        return None
    text = " ".join(harmless(message).split())[:MAX_MESSAGE_CHARS]
    known = rank if _is_whole(rank) else None
    return WatchFinding(_plain(name), _plain(path), line, step, text, known)


def _plain(text: str) -> str:
    return " ".join(harmless(text).splitlines())[:MAX_NAME_CHARS]


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and _is_number(value)


def _is_number(value: object) -> TypeGuard[float]:
    """A number that fits into a float and is one: JSON has NaN, and integers of any length."""
    return isinstance(value, int | float) and abs(value) < MAX_INTEGER


def _summary(told: Mapping[str, object]) -> JSONObject:
    result: JSONObject = {}
    for name in ("steps", "backwards", "seconds", "wait_s", "compiled"):
        value = told.get(name)
        if _is_number(value):
            result[name] = value
    guards = told.get("guards")
    if isinstance(guards, list):
        result["guards"] = [_plain(one) for one in guards[:MAX_GUARDS] if isinstance(one, str)]
    figures = told.get("figures")
    if isinstance(figures, dict):
        result["figures"] = {
            _plain(name): _points(points) for name, points in islice(figures.items(), MAX_FIGURES)
        }
    return result


def _points(points: object) -> list[object]:
    pairs = points if isinstance(points, list) else []
    return [
        [pair[0], pair[1]]
        for pair in pairs[:MAX_POINTS]
        if isinstance(pair, list) and len(pair) == 2 and all(map(_is_number, pair))
    ]
