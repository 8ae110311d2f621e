"""Calibration is lost by distance, not by a comment. Oracle: by hand."""

from __future__ import annotations

import pytest

from tests.support.made import MEMORY, NAN, other
from torchwhy.knowledge.entry import Says
from torchwhy.retrieval.calibration import distance, entry_digests
from torchwhy.retrieval.passages import all_passages
from torchwhy.text.language import Bilingual


def digests(*entries):  # type: ignore[no-untyped-def]
    known = {entry.id: entry for entry in entries}
    return entry_digests(known, all_passages(known))


def test_what_the_ranking_does_not_read_changes_nothing() -> None:
    says = (Says(Bilingual("new", "新")),)
    signature = NAN.signatures[0]._replace(releases=">=2.0", says=says)
    edited = NAN._replace(signatures=(signature, *NAN.signatures[1:]), fix=Bilingual("other", "别的"))
    assert digests(edited) == digests(NAN)


@pytest.mark.parametrize(
    "edited",
    [
        NAN._replace(kind="warning"),
        NAN._replace(title=Bilingual("another title", "别的标题")),
        NAN._replace(signatures=(NAN.signatures[0]._replace(context="another"), *NAN.signatures[1:])),
    ],
    ids=["kind", "title", "context"],
)
def test_what_the_ranking_reads_counts(edited) -> None:  # type: ignore[no-untyped-def]
    assert distance(digests(MEMORY, NAN), digests(MEMORY, edited)) == 0.5


def test_added_and_removed_entries_count() -> None:
    one, two = other("shapes", "matrix shapes differ"), other("hooks", "a hook returns nothing")
    assert distance(digests(one, two), digests(two)) == 0.5
    assert distance(digests(two), digests(one, two)) == 0.5
    assert distance({}, digests(two)) == 1.0
    assert distance({}, {}) == 0.0
