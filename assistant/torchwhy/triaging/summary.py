"""What the rows say together: causes by jobs lost, what is new, hosts whose jobs fail more often than chance
explains, what nobody can explain yet.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from .answering import Answered
from .fingerprint import normalised
from .parts import Folder
from .row import Row, arrow
from .rows import read_rows

Kind = Literal["entry", "family", "python", "unknown"]
MAX_EXAMPLES = 3  # of an error that nobody can explain
MAX_HOSTS = 100_000  # whose jobs are counted
MAX_EXAMPLE_CHARS = 1500
SIGNIFICANCE = 0.01  # of a host, after the correction for the number of hosts


@dataclass(slots=True)
class Cause:
    """One cause. `name`: of an entry or a family; the exception of an error of Python's own, or of one that
    is unknown, each message of which is a cause of its own. gpu_hours is None where no log told any. days:
    jobs lost by day (UTC, ISO). examples: the errors of some of its jobs, in a line each.
    """

    kind: Kind
    name: str
    jobs: int = 0
    gpu_hours: float | None = None
    days: Counter[str] = field(default_factory=Counter)
    fingerprints: set[str] = field(default_factory=set)
    examples: list[str] = field(default_factory=list)
    new: bool = False

    def add(self, row: Row) -> None:
        self.jobs += 1
        if row.gpu_hours is not None:
            self.gpu_hours = (self.gpu_hours or 0.0) + row.gpu_hours
        if row.time is not None:
            self.days[row.time.date().isoformat()] += 1
        if row.fingerprint:
            self.fingerprints.add(row.fingerprint)
        if row.error and row.error not in self.examples and len(self.examples) < MAX_EXAMPLES:
            self.examples.append(row.error)

    @property
    def example(self) -> str:
        return self.examples[0] if self.examples else ""


class Host(NamedTuple):
    """A host, its jobs, how many of them failed, and how probable so many are by chance (corrected)."""

    name: str
    jobs: int
    failed: int
    chance: float


class Unknown(NamedTuple):
    """Errors that no entry explains and that read alike: `torchwhy kb new --from` takes the fingerprint."""

    fingerprint: str
    error: str
    jobs: int
    examples: list[str]


@dataclass(slots=True)
class Summary:
    """A triage in figures. Causes by jobs lost; `new` errors: (fingerprint, error, jobs), since an earlier
    data set.
    """

    jobs: int = 0
    failed: int = 0
    logs: int = 0
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    causes: list[Cause] = field(default_factory=list)
    new: list[tuple[str, str, int]] | None = None
    hosts: list[Host] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)


def summarise(folder: Folder, since: Folder | None = None) -> Summary:
    """The summary of a data set. since: an earlier one, to tell what is new."""
    summary = Summary(unreadable=unreadable(folder))
    causes: dict[tuple[str, str, str], Cause] = {}
    hosts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    errors: dict[str, str] = {}
    lost: Counter[str] = Counter()
    for row in read_rows(folder):
        summary.jobs += 1
        summary.logs += row.logs
        if row.host and (row.host in hosts or len(hosts) < MAX_HOSTS):
            hosts[row.host][0] += 1
            hosts[row.host][1] += row.status == "failed"
        if row.status != "failed":
            continue
        summary.failed += 1
        kind, name = cause_of(row)
        words = normalised(row.error or "") if kind == "unknown" else ""
        causes.setdefault((kind, name, words), Cause(kind, name)).add(row)
        if row.fingerprint:
            errors.setdefault(row.fingerprint, row.error or "")
            lost[row.fingerprint] += 1
    summary.hosts = standing_out({name: (jobs, failed) for name, (jobs, failed) in hosts.items()})
    summary.causes = sorted(causes.values(), key=lambda each: (-each.jobs, each.name, each.example))
    summary.unknown = _unknown(folder, summary.causes)
    if since is not None:
        known = {row.fingerprint for row in read_rows(since) if row.fingerprint}
        fresh = [(mark, errors[mark], jobs) for mark, jobs in lost.items() if mark not in known]
        summary.new = sorted(fresh, key=lambda each: (-each[2], each[0]))
        for cause in summary.causes:
            cause.new = not cause.fingerprints & known
    return summary


def upper_tail(hits: int, drawn: int, marked: int, total: int) -> float:
    """P(X >= hits) where `drawn` of `total` jobs are drawn, of which `marked` failed: Fisher's exact test,
    one-sided.
    """
    if hits <= max(0, drawn + marked - total):
        return 1.0

    def log_choose(of: int, some: int) -> float:
        return math.lgamma(of + 1) - math.lgamma(some + 1) - math.lgamma(of - some + 1)

    whole = log_choose(total, drawn)
    terms = (
        math.exp(log_choose(marked, each) + log_choose(total - marked, drawn - each) - whole)
        for each in range(hits, min(drawn, marked) + 1)
    )
    return min(1.0, math.fsum(terms))


def standing_out(counts: Mapping[str, tuple[int, int]]) -> list[Host]:
    """The hosts whose share of failed jobs is above the others' (Holm's correction). counts: jobs and failed
    ones by host.
    """
    total = sum(jobs for jobs, _ in counts.values())
    marked = sum(failed for _, failed in counts.values())
    tested = sorted(
        (upper_tail(failed, jobs, marked, total), name) for name, (jobs, failed) in counts.items()
    )
    found, highest = [], 0.0
    for number, (chance, name) in enumerate(tested):
        highest = max(highest, min(1.0, chance * (len(tested) - number)))
        if highest > SIGNIFICANCE:
            break
        found.append(Host(name, *counts[name], highest))
    return found


def cause_of(row: Row) -> tuple[Kind, str]:
    """What a failed job is counted under."""
    if row.entry:
        return "entry", row.entry
    if row.family:
        return "family", row.family
    if row.python_error:
        return "python", row.python_error
    return "unknown", row.exception or "?"


def _unknown(folder: Folder, causes: list[Cause]) -> list[Unknown]:
    """The errors that nothing explains, most jobs first, each with the whole text of one in front."""
    causes = [each for each in causes if each.kind == "unknown" and each.fingerprints]
    wanted = set[str]().union(*(each.fingerprints for each in causes))
    texts = {
        each.fingerprint: each.sample
        for each in folder.read("answers", Answered)
        if each.fingerprint in wanted
    }
    found = []
    for cause in causes:
        marks = sorted(cause.fingerprints)
        whole = [texts[mark][:MAX_EXAMPLE_CHARS] for mark in marks if mark in texts]
        found.append(Unknown(marks[0], cause.example, cause.jobs, [*whole, *cause.examples][:MAX_EXAMPLES]))
    return sorted(found, key=lambda each: (-each.jobs, each.fingerprint))


def unreadable(folder: Folder) -> list[tuple[str, str]]:
    """Files that could not be read when they were last tried, and why."""
    pc = arrow().compute
    # not the many logs that a first run read
    notable = (pc.field("kind") != "log") | (pc.field("run") > 1)
    latest: dict[str, tuple[int, str | None]] = {}
    for batch in folder.scan("looks", ("path", "run", "kind", "why"), notable):
        for path, run, kind, why in zip(*batch.values(), strict=True):
            if path not in latest or run >= latest[path][0]:
                latest[path] = (run, why if kind == "unreadable" else None)
    return sorted((path, why) for path, (_, why) in latest.items() if why is not None)


def fingerprint_text(folder: Folder, mark: str) -> str | None:
    """The redacted text of a fingerprint, or of the only one that begins so; None where there is none."""
    every = folder.read("answers", Answered)
    found = {each.fingerprint: each.sample for each in every if each.fingerprint.startswith(mark)}
    return next(iter(found.values())) if len(found) == 1 and mark else None
