"""Do forked legs (tests/support/forked.py) show what fresh processes show? `python -m tests.tools.forked_legs [ID...]`

Runs each entry that may be forked both ways, prints those that differ in what a leg shows, its signature, status or the names of
its numbers, and the seconds of both. Exit 1 where a verdict differs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from tests.support.forked import confirm_forked, may_fork
from tests.support.shipped import knowledge
from torchwhy.proof.confirm import confirm
from torchwhy.proof.confirmation import Leg


def shown(legs: Sequence[Leg]) -> list[tuple[object, ...]]:
    return [(leg.name, leg.shows, leg.status, leg.signature, sorted(leg.numbers or ())) for leg in legs]


def main() -> int:
    known = knowledge().pitfalls
    chosen = [
        entry
        for id, entry in known.items()
        if (not sys.argv[1:] or id in sys.argv[1:]) and entry.repro and may_fork(entry)
    ]
    differ, forked_s, fresh_s = 0, 0.0, 0.0
    for entry in chosen:
        begun = time.monotonic()
        verdict, legs = confirm_forked(entry)
        between = time.monotonic()
        fresh = confirm(entry, python=sys.executable)
        forked_s, fresh_s = forked_s + between - begun, fresh_s + time.monotonic() - between
        if shown(legs) != shown(fresh.legs):
            differ += verdict != fresh.verdict
            print(
                f"{entry.id}: {verdict} {shown(legs)} forked, {fresh.verdict} {shown(fresh.legs)} fresh",
                flush=True,
            )
    print(
        f"{len(chosen)} entries, {differ} with another verdict; {forked_s:.0f} s forked, {fresh_s:.0f} s fresh"
    )
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
