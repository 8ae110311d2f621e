"""Confirming the whole knowledge base, and writing down what was seen (`knowledge/recorded_proofs.py` reads
it).
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
import sys
import tempfile
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from torchwhy.errors import AssistantError, UsageError
from torchwhy.knowledge import recorded_proofs
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.recorded_proofs import ProofFile, ProofHead, ProofRow, release_key
from torchwhy.knowledge.script_hashes import file_hash
from torchwhy.machine import gpus, interpreters, torch_probe
from torchwhy.runtime import locations, system
from torchwhy.runtime.json_types import JSONObject
from torchwhy.runtime.plain_files import replace_private
from torchwhy.text.plain import escaped, plain
from torchwhy.text.whereabouts import anonymous

from .confirm import confirm
from .confirmation import Confirmation
from .trust import NO_CONSENT, Consent, permitted

FINE = (*recorded_proofs.GOOD, "cannot-run")
MAX_MESSAGE_LINES, MAX_MESSAGE_CHARS = 3, 600  # enough to recognise a message
OnDone = Callable[[str, ProofRow], None]


@dataclass(slots=True)
class FullRun:
    """A run over the knowledge base: its evidence file, which of its entries this run confirmed, how many it
    was to.
    """

    path: Path
    data: ProofFile
    done: list[str] = field(default_factory=list)
    wanted: int = 0
    interrupted: bool = False

    def save(self) -> None:
        """Write the file, its entries sorted. Raises UsageError."""
        self.data["entries"] = dict(sorted(self.data["entries"].items()))
        try:
            write_json(self.path, self.data)
        except OSError as error:
            raise UsageError(
                f"{escaped(self.path.parent)} cannot be written ({escaped(error.strerror or str(error))});"
                " give another folder with --into"
            ) from error


def run_all(
    entries: Sequence[Pitfall],
    *,
    python: str | None = None,
    into: Path | None = None,
    jobs: int = 1,
    only: Collection[str] = (),
    seconds: float | None = None,
    consent: Consent = NO_CONSENT,
    stale: bool = False,
    on_done: OnDone | None = None,
) -> FullRun:
    """Confirm `entries` (of `only`, where given) and keep one evidence file in step after each.

    `stale`: only those that the file lacks, or holds of another version of the script. `jobs` legs run side
    by side: entries that measure time want 1. Ctrl-C keeps what was done (`interrupted`). `on_done(id, row)`
    hears of each. Raises UsageError, ConfirmError.
    """
    interpreter = interpreters.find_python(python)
    folder = into or recorded_proofs.own_folder()
    run = open_run(folder, read_head(interpreter), {entry.id for entry in entries}, bool(only or stale))
    selected = [entry for entry in entries if not only or entry.id in only]
    if stale:
        selected = [entry for entry in selected if _is_stale(entry, run.data["entries"].get(entry.id))]
    run.wanted = len(selected)
    run.save()
    stop = threading.Event()

    def confirm_one(entry: Pitfall) -> ProofRow | None:
        if stop.is_set():
            return None
        row = row_of(entry, interpreter, seconds, stop.is_set, consent)
        return None if stop.is_set() else row

    try:
        for id, row in _in_parallel(selected, confirm_one, max(1, jobs), stop):
            run.data["entries"][id] = row
            run.done.append(id)
            run.save()
            if on_done:
                on_done(id, row)
    except KeyboardInterrupt:
        run.interrupted = True
    write_index(folder)
    return run


def _in_parallel(
    entries: Sequence[Pitfall],
    confirm_one: Callable[[Pitfall], ProofRow | None],
    jobs: int,
    stop: threading.Event,
) -> Iterator[tuple[str, ProofRow]]:
    """(id, row) of each entry as it is done. However this ends, `stop` is set and the threads
    are waited for.
    """
    with ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(confirm_one, entry): entry.id for entry in entries}
        try:
            for future in as_completed(futures):
                row = future.result()
                if row is not None:
                    yield futures[future], row
        finally:
            stop.set()
            for future in futures:
                future.cancel()


def read_head(interpreter: str) -> ProofHead:
    """This machine and torch, without anything that names its owner. Raises UsageError where there is no
    torch.
    """
    probe = torch_probe.probe(interpreter)
    if probe.torch is None:
        raise UsageError(
            f"torch cannot be imported by {escaped(interpreter)} ({escaped(probe.torch_error or '')});"
            " name another Python with --python"
        )
    cuda = bool(probe.gpus)
    return {
        "schema": recorded_proofs.SCHEMA,
        "device": (probe.device or "gpu") if cuda else "cpu",
        "gpus": probe.gpus,
        "driver": gpus.read().version if cuda else None,
        "torch": probe.torch,
        "cuda": probe.cuda,
        "python": probe.python,
        "platform": f"{probe.platform}-{platform.machine()}",
        "cores": system.cores(),
        "date": today(),
    }


def today() -> str:
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def file_name(head: ProofHead) -> str:
    """Such as `cpu-torch-2.13.0-linux-x86_64.json`."""
    text = f"{head['device']}-torch-{str(head['torch']).split('+')[0]}-{head['platform']}"
    return re.sub(r"[^a-z0-9._]+", "-", text.lower()).strip("-") + ".json"


def open_run(folder: Path, head: ProofHead, known: Collection[str], merges: bool) -> FullRun:
    """A run that goes on with the rows of an older file of the same set-up, less those of entries that are
    gone.

    `merges`: the run renews a part of that file alone. Raises UsageError where it is then of another set-up.
    """
    run = FullRun(folder / file_name(head), {**head, "entries": {}})
    older = recorded_proofs.read_file(run.path)
    if older is None:
        return run
    differing = differences(older, head)
    if differing and merges:
        raise UsageError(
            f"{escaped(run.path)} is of another set-up ({', '.join(differing)});"
            " run --all without --only and --stale, or choose another --into"
        )
    if not differing:
        run.data["entries"] = {id: row for id, row in older["entries"].items() if id in known}
    return run


def differences(older: ProofHead, head: ProofHead) -> list[str]:
    """In what of the set-up a file differs: only rows of one set-up stand in one file."""
    before, now = dict(older), dict(head)
    names = ("device", "torch", "cuda", "python", "platform")
    return [
        f"{name} was {before.get(name)}, is {now[name]}" for name in names if before.get(name) != now[name]
    ]


def _is_stale(entry: Pitfall, row: ProofRow | None) -> bool:
    return row is None or row["sha256"] != (file_hash(entry.repro) if entry.repro else None)


def row_of(
    entry: Pitfall,
    interpreter: str,
    seconds: float | None,
    cancelled: Callable[[], bool],
    consent: Consent,
) -> ProofRow:
    """Confirm one entry and write down what was seen; an entry that cannot even be started
    becomes a row too.
    """
    sha256 = None
    try:
        sha256 = file_hash(entry.repro) if entry.repro else None
        permit = permitted(entry, consent)
        result = confirm(entry, python=interpreter, seconds=seconds, permit=permit, cancelled=cancelled)
    except (AssistantError, OSError) as error:
        result = Confirmation(entry.id, "cannot-run", str(error), (), interpreter)
    return {
        "sha256": sha256,
        "verdict": result.verdict,
        "date": today(),
        "seconds": {leg.name: round(leg.seconds, 1) for leg in result.legs},
        "message": tidy(result.message, interpreter),
        "numbers": {leg.name: dict(leg.numbers) for leg in result.legs if leg.numbers is not None},
        "reason": tidy(result.reason, interpreter) if result.verdict not in recorded_proofs.GOOD else "",
    }


def tidy(text: str, interpreter: str) -> str:
    """The first lines of a message without escapes, temporary paths, this machine's folders and names."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(interpreter)))
    folders = [
        (interpreter, "python"),
        (root, "<env>"),
        (sys.prefix, "<env>"),
        (str(locations.shipped("kb")), "kb"),
    ]
    text = re.sub(rf"{re.escape(tempfile.gettempdir())}/[\w.+-]+", "<tmp>", plain(text))
    text = anonymous(text, folders)
    lines = [line.rstrip() for line in text.strip().splitlines() if line.strip()][:MAX_MESSAGE_LINES]
    short = "\n".join(lines)
    return short if len(short) <= MAX_MESSAGE_CHARS else short[: MAX_MESSAGE_CHARS - 1] + "…"


def write_json(path: Path, data: Mapping[str, object]) -> None:
    """Write a JSON file, whole or not at all; in the user's own data folder for the user alone.

    Raises OSError.
    """
    own = path.absolute().is_relative_to(locations.data_folder().absolute())
    if own:
        locations.make_private(locations.data_folder())
        locations.make_private(path.parent)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_private(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n", 0o600 if own else 0o644)


def index_of(folder: Path) -> JSONObject:
    """The index of a folder's evidence: of each entry the newest good verdict (of one day: the
    newest torch).
    """
    best: dict[str, tuple[tuple[str, tuple[int, ...]], list[str | None]]] = {}
    for _, data in recorded_proofs.files(folder):
        for id, row in data["entries"].items():
            if row["verdict"] in recorded_proofs.GOOD:
                key = (row["date"], release_key(data["torch"]))
                if id not in best or key >= best[id][0]:
                    best[id] = (key, [data["device"], data["torch"], row["date"], row["sha256"]])
    return {"schema": recorded_proofs.SCHEMA, "entries": {id: best[id][1] for id in sorted(best)}}


def write_index(folder: Path) -> None:
    """Bring a folder's index in step with its files. Raises OSError."""
    write_json(folder / recorded_proofs.INDEX, index_of(folder))
    recorded_proofs.cached_index.cache_clear()
