"""From looks to rows: the logs of a job together, the first rank to fail in front."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any, NamedTuple

from .answering import Answered, AssistantOptions, answers
from .parts import Folder, PartWriter
from .row import BUCKETS, Look, Row, arrow

LOOKS_AT_ONCE = 100_000  # in memory, when rows are made
OF_THE_ROOT = ("rank", "path", "error", "exception", "package", "user_frame", "torch", "fingerprint")
OF_THE_ANSWER = ("entry", "family", "category", "probability", "python_error")
QUIET = 9  # `Look.order` of a log without an error


class Share(NamedTuple):
    """The jobs of some buckets, whose rows make one part."""

    out: str
    knowledge: AssistantOptions
    first: int
    end: int


def shares(folder: Folder, knowledge: AssistantOptions) -> list[Share]:
    """The work of making rows, in shares that fit into memory."""
    counts = [0] * BUCKETS
    pc = arrow().compute
    for batch in folder.scan("looks", ("bucket",), pc.field("kind") == "log"):
        for bucket in batch["bucket"]:
            counts[bucket] += 1
    found, first, held = [], 0, 0
    for bucket, count in enumerate(counts):
        if held and held + count > LOOKS_AT_ONCE:
            found.append(Share(str(folder.path), knowledge, first, bucket))
            first, held = bucket, 0
        held += count
    if held:
        found.append(Share(str(folder.path), knowledge, first, BUCKETS))
    return found


def make_rows(share: Share) -> int:
    """Write the rows of a share into the new data set; how many they are. Raises WriteError."""
    folder = Folder(share.out)
    answered = answers(folder, share.knowledge)
    pc = arrow().compute
    where = (
        (pc.field("kind") == "log") & (pc.field("bucket") >= share.first) & (pc.field("bucket") < share.end)
    )
    latest: dict[str, Look] = {}
    for look in folder.read("looks", Look, "sample", "excerpt", "size", "mtime", "why", where=where):
        kept = latest.get(look.path)
        if kept is None or look.run > kept.run:
            latest[look.path] = look
    jobs: dict[str, list[Look]] = defaultdict(list)
    for look in latest.values():
        jobs[look.job].append(look)
    if not jobs:
        return 0
    with PartWriter(folder.path / ".rows-new", f"part-{share.first:04d}", Row) as part:
        for job in sorted(jobs):
            part.add(row_of(job, jobs[job], answered))
    return len(jobs)


def row_of(job: str, looks: list[Look], answered: dict[str, Answered]) -> Row:
    """A job's row: of its last attempt, the first rank to fail."""
    attempt = max(look.attempt for look in looks)
    looks = sorted((look for look in looks if look.attempt == attempt), key=lambda look: look.path)
    failed = [look for look in looks if look.order < QUIET]
    said = next((look.said_rank for look in looks if look.said_rank is not None), None)
    root = min(failed, key=lambda look: _precedence(look, said)) if failed else looks[0]
    answer = answered.get(root.fingerprint or "")
    moment = root.time if failed else max((look.end for look in looks if look.end), default=None)
    told: dict[str, Any] = {name: getattr(root, name) for name in OF_THE_ROOT}
    told |= {name: getattr(answer, name, None) for name in OF_THE_ANSWER}
    return Row(
        job=job,
        status="failed" if failed else "quiet",
        time=datetime.fromtimestamp(moment, timezone.utc) if moment else None,
        host=root.host or next((look.host for look in looks if look.host), None),
        attempt=attempt,
        logs=len(looks),
        failed_logs=len(failed),
        gpu_hours=_hours(looks),
        **told,
    )


def _precedence(look: Look, said: int | None) -> tuple[bool, int, float, int, str]:
    """The rank that a launcher named, then a cause before what follows from one, then the earliest."""
    named = said is not None and look.rank == said and look.order < 3
    rank = look.rank if look.rank is not None else 1 << 30
    return not named, look.order, look.time if look.time is not None else float("inf"), rank, look.path


def _hours(looks: list[Look]) -> float | None:
    """Hours between the first and the last stamp of each rank, added up; None where no log has stamps."""
    spans: dict[Any, float] = {}
    for look in looks:
        if look.start is not None and look.end is not None and look.end >= look.start:
            who = look.rank if look.rank is not None else look.path
            spans[who] = max(spans.get(who, 0.0), look.end - look.start)
    return round(sum(spans.values()) / 3600, 4) if spans else None


def read_rows(folder: Folder) -> Iterator[Row]:
    """The rows of the data set, in the order of their parts."""
    return folder.read("rows", Row)
