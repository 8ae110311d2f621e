"""What the programs of a run saw of their training: guards handed to them, findings read while they train."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.runtime.json_types import JSONObject

from .crashes import read_file, shown

MAX_FINDINGS, MAX_MESSAGE_CHARS, MAX_POINTS, MAX_WHY_CHARS = 100, 1000, 400, 200
SUMMARY = ("steps", "backwards", "seconds", "wait_s", "compiled", "guards")


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
        for path in sorted(Path(self.folder).glob("watch-*.jsonl")):
            start = self._read.get(path.name, 0)
            data = read_file(path, start)
            data = data[: data.rfind(b"\n") + 1]
            self._read[path.name] = start + len(data)
            for record in map(_object, data.splitlines()):
                if "off" in record:
                    if record["off"] not in self.off:
                        self.off[record["off"]] = " ".join(record.get("message", "").split())[:MAX_WHY_CHARS]
                        lines.append(record["off"])
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
        found = [_object(read_file(path)) for path in Path(self.folder).glob("watch-*.json")]
        told = max(found, key=lambda each: each.get("steps", 0), default={})
        self.summary = _summary(told) if told else {}

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


def _object(data: bytes) -> JSONObject:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return shown(found) if isinstance(found, dict) else {}


def _finding(record: JSONObject) -> WatchFinding | None:
    try:
        text = " ".join(record["message"].split())[:MAX_MESSAGE_CHARS]
        place = record["path"], int(record["line"]), int(record["step"])
        return WatchFinding(record["id"], *place, text, record.get("rank"))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _summary(told: JSONObject) -> JSONObject:
    """Without figures that JSON does not know (a loss that is NaN)."""
    figures = {
        name: [point for point in points[:MAX_POINTS] if all(map(math.isfinite, point))]
        for name, points in told.pop("figures", {}).items()
    }
    return {**{name: told[name] for name in SUMMARY if name in told}, "figures": figures}
