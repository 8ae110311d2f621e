"""Which of several wordings that a text shows an answer is made of."""

from __future__ import annotations

import pytest

from torchwhy.answers.build import telling
from torchwhy.knowledge.entry import Bilingual, ChangeTemplate, Pitfall, Says, Signature
from torchwhy.knowledge.wordings import Claim
from torchwhy.retrieval.matcher import Scored

TEXT = Bilingual("x", "x")
SAYS, CHANGE = (Says(TEXT),), (ChangeTemplate(None, code="x"),)
PLAIN = Signature("a", "a")
SAID, FIXED = PLAIN._replace(says=SAYS), PLAIN._replace(change=CHANGE)


@pytest.mark.parametrize(
    ("own", "other", "of_entry", "told"),
    [
        (PLAIN, PLAIN, (), 0),
        (PLAIN, SAID, (), 1),
        (SAID, SAID, (), 0),
        (SAID, FIXED, (), 1),  # its sentence would hide the only fix
        (SAID, FIXED, CHANGE, 0),  # the entry's own change fits both
        (PLAIN, FIXED, CHANGE, 1),
        (FIXED, FIXED, (), 0),
        (FIXED, SAID, (), 0),
    ],
)
def test_a_wording_with_a_fix_is_told_before_one_that_has_a_sentence_alone(
    own: Signature, other: Signature, of_entry: tuple[ChangeTemplate, ...], told: int
) -> None:
    entry = Pitfall("e", "shapes", TEXT, "error", "crash", {}, TEXT, TEXT, TEXT, ())
    entry = entry._replace(signatures=(own, other), change=of_entry)
    first, second = (Claim("e", number, 0, 1 + number, (), False) for number in (0, 1))
    scored = Scored("e", 1.0, 1.0, first, 0.0, 0.0, (second,))
    found = telling(scored, lambda id: entry, "ab", {})
    assert found is not None and found.number == told
