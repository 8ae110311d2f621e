"""Hosts that stand out: whose jobs fail more often than chance explains."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

SIGNIFICANCE = 0.01  # after the correction for the number of hosts


class Host(NamedTuple):
    """A host, its jobs, how many of them failed, and how probable so many are by chance (corrected)."""

    name: str
    jobs: int
    failed: int
    chance: float


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
