"""What the rows say together: causes by jobs lost, what is new, hosts that stand out, what is unknown."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from .answering import Answered
from .fingerprint import normalised
from .hosts import Host, standing_out
from .parts import Folder
from .row import Row, arrow
from .rows import read_rows

Kind = Literal["entry", "family", "python", "unknown"]
MAX_EXAMPLES = 3  # of an error that nobody can explain
MAX_HOSTS = 100_000  # whose jobs are counted
MAX_EXAMPLE_CHARS = 1500
MAX_LATEST = 20  # jobs of a cause, which are named
SHOWN_CAUSES = 50  # whose jobs are shown with their lines


@dataclass(slots=True)
class Cause:
    """One cause. `name`: of an entry or a family; the exception of an error of Python's own, or of one that
    is unknown, each message of which is a cause of its own. gpu_hours is None where no log told any. days:
    jobs lost by day (UTC, ISO). examples: the errors of some of its jobs, in a line each. ran_on: its jobs
    by host; hosts: those that stand out. latest: (time, job, row) of its last jobs, as a heap.
    """

    kind: Kind
    name: str
    jobs: int = 0
    gpu_hours: float | None = None
    days: Counter[str] = field(default_factory=Counter)
    fingerprints: set[str] = field(default_factory=set)
    examples: list[str] = field(default_factory=list)
    new: bool = False
    ran_on: Counter[str] = field(default_factory=Counter)
    hosts: list[Host] = field(default_factory=list)
    latest: list[tuple[str, str, Row]] = field(default_factory=list)

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
        if row.host:
            self.ran_on[row.host] += 1
        put = heapq.heappush if len(self.latest) < MAX_LATEST else heapq.heappushpop
        put(self.latest, (row.time.isoformat() if row.time else "", row.job, row))

    @property
    def last_jobs(self) -> list[Row]:
        """Its last jobs, the latest in front."""
        return [row for *_, row in sorted(self.latest, reverse=True)]

    @property
    def example(self) -> str:
        return self.examples[0] if self.examples else ""


class Unknown(NamedTuple):
    """Errors that no entry explains and that read alike: `torchwhy kb new --from` takes the fingerprint."""

    fingerprint: str
    error: str
    jobs: int
    examples: list[str]


class Lines(NamedTuple):
    """Of a log: the number of the error's line, where it is known, and the lines down to it."""

    number: int | None
    text: str


@dataclass(slots=True)
class Summary:
    """A triage in figures. Causes by jobs lost; errors: an error and its jobs, by fingerprint; `new` ones:
    (fingerprint, error, jobs), since an earlier data set; lines: of a log, by its path.
    """

    jobs: int = 0
    failed: int = 0
    logs: int = 0
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    causes: list[Cause] = field(default_factory=list)
    errors: dict[str, tuple[str, int]] = field(default_factory=dict)
    new: list[tuple[str, str, int]] | None = None
    hosts: list[Host] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)
    lines: dict[str, Lines] = field(default_factory=dict)


def summarise(folder: Folder, since: Folder | None = None) -> Summary:
    """The summary of a data set. since: an earlier one, to tell what is new."""
    summary = count(read_rows(folder))
    summary.unreadable = unreadable(folder)
    summary.lines = _lines(
        folder, [row for cause in summary.causes[:SHOWN_CAUSES] for *_, row in cause.latest]
    )
    summary.unknown = _unknown(folder, summary.causes)
    if since is not None:
        known = {row.fingerprint for row in read_rows(since) if row.fingerprint}
        fresh = [(mark, *told) for mark, told in summary.errors.items() if mark not in known]
        summary.new = sorted(fresh, key=lambda each: (-each[2], each[0]))
        for cause in summary.causes:
            cause.new = not cause.fingerprints & known
    return summary


def count(rows: Iterable[Row]) -> Summary:
    """What the rows alone say: jobs, causes, hosts."""
    summary = Summary()
    causes: dict[tuple[str, str, str], Cause] = {}
    hosts: Counter[str] = Counter()
    for row in rows:
        summary.jobs += 1
        summary.logs += row.logs
        if row.host and (row.host in hosts or len(hosts) < MAX_HOSTS):
            hosts[row.host] += 1
        if row.status != "failed":
            continue
        summary.failed += 1
        kind, name = cause_of(row)
        words = normalised(row.error or "") if kind == "unknown" else ""
        causes.setdefault((kind, name, words), Cause(kind, name)).add(row)
        if row.fingerprint:
            error, jobs = summary.errors.get(row.fingerprint, (row.error or "", 0))
            summary.errors[row.fingerprint] = error, jobs + 1
    summary.causes = sorted(causes.values(), key=lambda each: (-each.jobs, each.name, each.example))
    _test_hosts(summary, hosts)
    return summary


def _test_hosts(summary: Summary, hosts: Counter[str]) -> None:
    """Which hosts stand out, for all that failed and for each cause."""
    by_cause = [
        {name: jobs for name, jobs in each.ran_on.items() if name in hosts} for each in summary.causes
    ]
    whole = Counter[str]()
    for each in by_cause:
        whole.update(each)
    summary.hosts = standing_out(hosts, {None: whole}).get(None, [])
    for number, found in standing_out(hosts, dict(enumerate(by_cause))).items():
        summary.causes[number].hosts = found


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


def _lines(folder: Folder, rows: list[Row]) -> dict[str, Lines]:
    """What the logs of these rows show, by path; of one that was read twice, what was seen last."""
    if not rows:
        return {}
    pc = arrow().compute
    where = pc.field("path").isin([row.path for row in rows]) & ~pc.is_null(pc.field("excerpt"))
    return {path: Lines(*told) for path, told in folder.latest(("line", "excerpt"), where).items()}


def unreadable(folder: Folder) -> list[tuple[str, str]]:
    """Files that could not be read when they were last tried, and why."""
    pc = arrow().compute
    # not the many logs that a first run read
    notable = (pc.field("kind") != "log") | (pc.field("run") > 1)
    latest = folder.latest(("kind", "why"), notable)
    return sorted(
        (path, why) for path, (kind, why) in latest.items() if kind == "unreadable" and why is not None
    )


def fingerprint_text(folder: Folder, mark: str) -> str | None:
    """The redacted text of a fingerprint, or of the only one that begins so; None where there is none."""
    every = folder.read("answers", Answered)
    found = {each.fingerprint: each.sample for each in every if each.fingerprint.startswith(mark)}
    return next(iter(found.values())) if len(found) == 1 and mark else None
