"""Confirming the whole knowledge base, and writing down what was seen (`assistant.evidence` reads it)."""

from __future__ import annotations

import datetime
import os
import platform
import re
import sys
import tempfile
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import environment, evidence, gpus, hashes, locations
from .cleaning import plain
from .confirm import confirm
from .confirm_types import Confirmation
from .errors import AssistantError, UsageError
from .redact import anonymous
from .types import Pitfall

FINE = (*evidence.GOOD, "cannot-run")
SAME = ("device", "torch", "cuda", "python", "platform")  # what must agree before a rerun joins an older file
LINES, LENGTH = 3, 600  # of a message: enough to recognise it
Heard = Callable[[str, dict[str, Any]], None]


@dataclass(slots=True)
class Run:
    """What came of a run: the file, all its entries, and which of them are of this run."""

    path: Path
    data: dict[str, Any]
    done: list[str] = field(default_factory=list)
    wanted: int = 0
    interrupted: bool = False


def header(probe: environment.Probe) -> dict[str, Any]:
    """This machine and torch, without anything that names its owner."""
    cuda = bool(probe.gpus)
    driver = gpus.read().version if cuda else None
    return {
        "schema": evidence.SCHEMA, "device": (probe.device or "gpu") if cuda else "cpu", "gpus": probe.gpus, "driver": driver, "torch": probe.torch,
        "cuda": probe.cuda, "python": probe.python, "platform": f"{probe.platform}-{platform.machine()}", "cores": len(_cores()), "date": today(),
    }  # fmt: skip


def _cores() -> Collection[int]:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)


def today() -> str:
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def file_name(head: Mapping[str, Any]) -> str:
    """Such as `cpu-torch-2.13.0-linux-x86_64.json`."""
    text = f"{head['device']}-torch-{str(head['torch']).split('+')[0]}-{head['platform']}"
    return re.sub(r"[^a-z0-9._]+", "-", text.lower()).strip("-") + ".json"


def run_all(
    entries: Sequence[Pitfall],
    *,
    python: str | None = None,
    into: Path | None = None,
    jobs: int = 1,
    only: Collection[str] = (),
    seconds: float | None = None,
    edited: bool = False,
    stale: bool = False,
    on_done: Heard | None = None,
) -> Run:
    """Confirm `entries` (of `only`, where given) and keep one evidence file in step after each.

    `stale`: only those that the file lacks, or holds of another version of the script.
    `jobs` legs run side by side: entries that measure time want 1. Ctrl-C keeps what was done (`interrupted`).
    `on_done(id, row)` hears of each. Raises UsageError, ConfirmError.
    """
    interpreter = environment.find_python(python, None)
    probe = environment.probe(interpreter)
    if probe.torch is None:
        raise UsageError(f"torch cannot be imported by {interpreter} ({probe.torch_error}); name another Python with --python")
    head = header(probe)
    folder = into or evidence.own_folder()
    run = Run(folder / file_name(head), {**head, "entries": {}})
    older = evidence.read(run.path)
    if older is not None:
        differing = [name for name in SAME if older.get(name) != head[name]]
        if differing and (only or stale):
            told = ", ".join(f"{name} was {older.get(name)}, is {head[name]}" for name in differing)
            raise UsageError(f"{run.path} is of another set-up ({told}); run --all without --only and --stale, or choose another --into")
        if not differing:
            known = {entry.id for entry in entries}
            run.data["entries"] = {id: row for id, row in older["entries"].items() if id in known}
    wanted = [entry for entry in entries if not only or entry.id in only]
    if stale:
        wanted = [entry for entry in wanted if _is_stale(entry, run.data["entries"].get(entry.id))]
    run.wanted = len(wanted)
    _save(run)
    stop = threading.Event()

    def one(entry: Pitfall) -> tuple[str, dict[str, Any] | None]:
        if stop.is_set():
            return entry.id, None
        row = row_of(entry, interpreter, seconds, edited, stop.is_set)
        return entry.id, None if stop.is_set() else row

    with ThreadPoolExecutor(max(1, jobs)) as pool:
        futures = [pool.submit(one, entry) for entry in wanted]
        try:
            for future in as_completed(futures):
                id, row = future.result()
                if row is not None:
                    run.data["entries"][id] = row
                    run.done.append(id)
                    _save(run)
                    if on_done:
                        on_done(id, row)
        except KeyboardInterrupt:
            run.interrupted = True
        finally:
            stop.set()
            for future in futures:
                future.cancel()
    evidence.write_index(folder)
    return run


def _is_stale(entry: Pitfall, row: Mapping[str, Any] | None) -> bool:
    return row is None or row["sha256"] != (hashes.file_hash(entry.repro) if entry.repro else None)


def _save(run: Run) -> None:
    run.data["entries"] = dict(sorted(run.data["entries"].items()))
    try:
        evidence.write_file(run.path, run.data)
    except OSError as error:
        raise UsageError(f"{run.path.parent} cannot be written ({error.strerror or error}); give another folder with --into") from error


def row_of(entry: Pitfall, interpreter: str, seconds: float | None, edited: bool, cancelled: Callable[[], bool]) -> dict[str, Any]:
    """Confirm one entry and write down what was seen; an entry that cannot even be started becomes a row too."""
    sha256 = hashes.file_hash(entry.repro) if entry.repro else None
    try:
        if not edited:
            hashes.refuse_edited(entry)
        result = confirm(entry, python=interpreter, seconds=seconds, cancelled=cancelled)
    except AssistantError as error:
        result = Confirmation(entry.id, "cannot-run", str(error), (), interpreter)
    return {
        "sha256": sha256,
        "verdict": result.verdict,
        "date": today(),
        "seconds": {leg.name: round(leg.seconds, 1) for leg in result.legs},
        "message": tidy(result.message, interpreter),
        "numbers": {leg.name: leg.numbers for leg in result.legs if leg.numbers is not None},
        "reason": tidy(result.reason, interpreter) if result.verdict not in evidence.GOOD else "",
    }


def tidy(text: str, interpreter: str) -> str:
    """The first lines of a message without escapes, temporary paths, this machine's folders and names."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(interpreter)))
    text = re.sub(r"(?:[^\s\"'=:]*/)?torchwhy-\w{8}(?=[/\s\"':,.;)]|$)", "<tmp>", plain(text))
    folders = [(interpreter, "python"), (root, "<env>"), (sys.prefix, "<env>"), (str(locations.shipped("kb")), "kb")]
    text = anonymous(re.sub(rf"{re.escape(tempfile.gettempdir())}/[\w.+-]+", "<tmp>", text), folders)
    lines = [line.rstrip() for line in text.strip().splitlines() if line.strip()][:LINES]
    short = "\n".join(lines)
    return short if len(short) <= LENGTH else short[: LENGTH - 1] + "…"
