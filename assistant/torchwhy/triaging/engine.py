"""`triage`: find files, look at them on all processors or a cluster, answer what is distinct, make rows."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from . import pool
from .answering import AssistantOptions, answer_chunk, missing
from .baseline import learn
from .parts import Folder, file_key
from .row import Look, Row, arrow
from .rows import make_rows, read_rows, shares
from .sources import LogSource, find, shown
from .work import Batch

MAX_BATCH_FILES, MAX_BATCH_BYTES = 1000, 32 << 20
Progress = Callable[["Count"], None]


@dataclass(slots=True)
class Count:
    """How far a run is: files skipped since an earlier run read them, files done and their bytes, distinct
    errors and those answered, rows.
    """

    stage: str = "looking"
    skipped: int = 0
    done: int = 0
    bytes: int = 0
    answered: int = 0
    distinct: int = 0
    rows: int = 0


@dataclass(frozen=True, slots=True)
class TriageOptions:
    """How to triage. ray: `auto`, `local` or an address; workers: processes (default: all processors);
    baseline: logs of good runs.
    """

    job: str | None = None
    ray: str | None = None
    workers: int | None = None
    knowledge: AssistantOptions = field(default_factory=AssistantOptions)
    baseline: str | None = None


def triage(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    ray: str | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    job: str | None = None,
    workers: int | None = None,
    kb: str | os.PathLike[str] | None = None,
    vectors: bool = True,
    baseline: str | os.PathLike[str] | None = None,
) -> Iterator[Row]:
    """One row for each job whose logs lie below `paths`: files, folders, globs, addresses of fsspec.

    ray: `auto`, `local` or a cluster's address, where `out` has to be a folder that every node sees. out: a
    folder for the data set, from which a killed run goes on; a temporary one if None. job: a regular
    expression whose group `job` names a path's job. baseline: the log of a good run, or a folder of them: an
    error that these print as well is none. `pandas.DataFrame(triage(...))` is a table, since rows
    are dataclasses.

    Raises UsageError for a path that is not there and without pyarrow, KnowledgeError, StoreError.
    """
    named = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    knowledge = AssistantOptions(os.fspath(kb) if kb is not None else None, None, vectors)
    good = os.fspath(baseline) if baseline is not None else None
    options = TriageOptions(job, ray, workers, knowledge, good)
    with tempfile.TemporaryDirectory(prefix="torchwhy-triage-") as scratch:
        folder = Folder(out if out is not None else os.path.join(scratch, "out"))
        run([os.fspath(path) for path in named], folder, options)
        yield from read_rows(folder)


def run(
    paths: list[str], folder: Folder, options: TriageOptions, progress: Progress = lambda _: None
) -> Count:
    """Bring the folder's rows up to date with the files. Raises UsageError, KnowledgeError, StoreError."""
    arrow()
    count = Count()
    cluster = _cluster(options.ray)
    number = folder.runs()
    if options.baseline is not None:
        learn(options.baseline, folder.path)
    look_at(paths, folder, options, number, count, progress, cluster)
    count.stage = "answering"
    chunks = missing(folder, options.knowledge, f"part-{number:05d}")
    count.distinct = sum(len(chunk.wanted) for chunk in chunks)
    progress(count)
    for done in _each(cluster, answer_chunk, chunks):
        count.answered += done
        progress(count)
    count.stage = "rows"
    folder.begin_rows()
    for done in _each(cluster, make_rows, shares(folder, options.knowledge)):
        count.rows += done
        progress(count)
    folder.end_rows()
    return count


def look_at(
    paths: list[str],
    folder: Folder,
    options: TriageOptions,
    number: int,
    count: Count,
    progress: Progress,
    cluster: Any = None,
) -> None:
    """Look at every file that no earlier run of this folder read."""
    known = folder.known()
    gone: list[tuple[str, str]] = []
    token = secrets.token_hex(8)

    def made() -> Iterator[Batch]:
        for place, sources in enumerate(_batches(_fresh(paths, known, count, gone))):
            name = f"part-{number:05d}-{place:07d}"
            yield Batch(name, number, str(folder.path), options.job, token, tuple(sources))

    workers = options.workers or os.cpu_count() or 1
    if cluster is not None:
        from .on_ray import run_ray

        results = run_ray(cluster, made(), folder.part)
    else:
        results = pool.run_pool(made(), workers, folder.part)
    progress(count)
    for done in results:
        count.done += done.files
        count.bytes += done.bytes
        progress(count)
    if gone:
        with folder.part(f"part-{number:05d}-gone") as part:
            for path, why in gone:
                part.add(Look(path, "unreadable", 0, "", run=number, why=why))


def _fresh(
    paths: list[str], known: set[bytes], count: Count, gone: list[tuple[str, str]]
) -> Iterator[LogSource]:
    """The files that are to be read, each once."""
    seen = known if len(paths) > 1 or "-" in paths else None
    for source in find(paths, lambda path, why: gone.append((path, why))):
        key = file_key(shown(source.path), source.size, source.mtime)
        if key in known:
            count.skipped += 1
            continue
        if seen is not None:
            seen.add(key)
        yield source


def _batches(sources: Iterator[LogSource]) -> Iterator[list[LogSource]]:
    batch: list[LogSource] = []
    held = 0
    for source in sources:
        if batch and (len(batch) >= MAX_BATCH_FILES or held + source.size > MAX_BATCH_BYTES):
            yield batch
            batch, held = [], 0
        batch.append(source)
        held += source.size
    if batch:
        yield batch


def _cluster(address: str | None) -> Any:
    if address is None:
        return None
    from .on_ray import connect

    return connect(address)


def _each(cluster: Any, function: Callable[[Any], int], pieces: list[Any]) -> Iterator[int]:
    if cluster is None or len(pieces) < 2:
        yield from map(function, pieces)
    else:
        from .on_ray import run_each

        yield from run_each(cluster, function, pieces)
