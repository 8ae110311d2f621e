"""Hosts on which more jobs fail, or more of one cause, than chance explains."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import NamedTuple, TypeVar

SIGNIFICANCE = 0.01  # of all tests that are made together, after Holm's correction
MIN_JOBS = 3  # that failed, on known hosts: fewer are not tested, since nothing would follow from them
Group = TypeVar("Group", bound=Hashable)


class Host(NamedTuple):
    """A host, its jobs, how many of them failed, and how probable so many are by chance (corrected)."""

    name: str
    jobs: int
    failed: int
    chance: float


def standing_out(
    jobs: Mapping[str, int], failed: Mapping[Group, Mapping[str, int]]
) -> dict[Group, list[Host]]:
    """The hosts whose share of a group's failed jobs is above the others'. jobs: by host; failed: by group
    and host.
    """
    total = sum(jobs.values())
    counts = {group: sum(each.values()) for group, each in failed.items()}
    groups = [group for group, count in counts.items() if count >= MIN_JOBS]
    tested = sorted(
        (upper_tail(hits, jobs[name], counts[group], total), name, number)
        for number, group in enumerate(groups)
        for name, hits in failed[group].items()
    )
    found: dict[Group, list[Host]] = {}
    left, highest = len(groups) * len(jobs), 0.0
    for chance, name, number in tested:
        highest = max(highest, min(1.0, chance * left))
        left -= 1
        if highest > SIGNIFICANCE:
            break
        group = groups[number]
        found.setdefault(group, []).append(Host(name, jobs[name], failed[group][name], highest))
    return found


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
