"""The law of neighbours: an entry names a real line that none of its signatures may match.

A pattern that is tested only on its own example says nothing of what else it takes: `Address already in use`
of a web server, "'NoneType' object has no attribute" of any program. A neighbour is another entry's line (the
near-misses of `look_alikes` that are lines count), or one of another program or package, which no entry may
take. Every such line is run against the signatures of all entries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from torchwhy.knowledge.entry import Neighbour, Pitfall, Problem
from torchwhy.knowledge.texts import file_of
from torchwhy.knowledge.wordings import Wordings

ANY_LINE = (
    "a neighbour: `neighbours: [{of: WHOSE, line: '...'}]` with a real line that looks like this "
    "entry's message and"
    " is another's, or a near_miss under look_alikes that is such a line"
)


def check_neighbours(
    entry: Pitfall, pitfalls: Mapping[str, Pitfall], wordings: Wordings, selected: Collection[str]
) -> Iterator[Problem]:
    """No neighbour at all; a neighbour's line that somebody takes who may not; others' lines that this entry
    takes, where those entries are not checked themselves.
    """
    if entry.signatures and not any(_lines(entry, wordings)):
        yield Problem(file_of(entry), "neighbours", "none", ANY_LINE)
    for number, neighbour in enumerate(entry.neighbours):
        field = f"neighbours[{number}].line"
        if neighbour.of in pitfalls and neighbour.of not in wordings.claimants(neighbour.line):
            found = f"a line that no signature of {neighbour.of} matches"
            yield Problem(file_of(entry), field, found, f"a line of {neighbour.of}")
        for claim in wordings.claims(neighbour.line):
            if not may_claim(claim.entry, neighbour, pitfalls):
                found = f"a line that signatures[{claim.number}] of {claim.entry} matches"
                yield Problem(file_of(entry), field, found, _wanted(neighbour))
    own = Wordings.of([entry])
    for other in pitfalls.values():
        for neighbour in () if other.id in selected else other.neighbours:
            for claim in own.claims(neighbour.line):
                if not may_claim(entry.id, neighbour, pitfalls):
                    field = f"signatures[{claim.number}].pattern"
                    found = f"a match of {neighbour.line!r}, a neighbour of {other.id}"
                    yield Problem(file_of(entry), field, found, _wanted(neighbour))


def may_claim(id: str, neighbour: Neighbour, pitfalls: Mapping[str, Pitfall]) -> bool:
    """Whether this entry may match the line: its owner may, and the owner's look-alikes."""
    owner = pitfalls.get(neighbour.of)
    return owner is not None and (id == owner.id or id in {pair.id for pair in owner.look_alikes})


def _lines(entry: Pitfall, wordings: Wordings) -> Iterator[str]:
    """The neighbours' lines of an entry, its near-misses that are another entry's lines included."""
    for neighbour in entry.neighbours:
        yield neighbour.line
    for pair in entry.look_alikes:
        claimants = wordings.claimants(pair.near_miss) if pair.near_miss else set()
        if pair.near_miss and pair.id in claimants and entry.id not in claimants:
            yield pair.near_miss


def _wanted(neighbour: Neighbour) -> str:
    return f"a narrower pattern, or a context: this line is {neighbour.of}'s"
