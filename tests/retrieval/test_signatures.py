"""Which entries claim a text. Oracle: two entries written by hand, and what their patterns mean."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.made import MEMORY, NAN, open_store
from torchwhy import Assistant
from torchwhy.knowledge.entry import Signature
from torchwhy.knowledge.literals import squeezed
from torchwhy.knowledge.wordings import Claim, Wording, Wordings, wordings_of
from torchwhy.retrieval.store import MAX_ASKED_WORDS, Store, StoredWordings

OOM = "CUDA out of memory. Tried to allocate 20.00 MiB"


@pytest.fixture
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = open_store(tmp_path_factory.mktemp("signatures"), MEMORY, NAN)
    yield made
    made.db.close()


@pytest.fixture
def signatures(store: Store) -> StoredWordings:
    return store.wordings


def test_a_claim_says_where_and_with_which_groups(signatures: StoredWordings) -> None:
    text = f"RuntimeError: {OOM} (GPU 0; 8 GiB)"
    (found,) = signatures.claims(text)
    groups = (("gpu", "GPU 0"), ("tried", "20.00 MiB"))
    assert found == Claim("gpu-out-of-memory", 0, 14, text.index(";"), groups, False)
    assert found.length == len(f"{OOM} (GPU 0")


def test_the_last_match_counts(signatures: StoredWordings) -> None:
    text = f"{OOM}\n{OOM.replace('20.00', '64')}\n"
    (found,) = signatures.claims(text)
    assert (found.start, found.groups) == (len(OOM) + 1, (("tried", "64 MiB"),))


def test_a_context_may_stand_anywhere_but_must(signatures: StoredWordings) -> None:
    assert signatures.claims("status alloc failed") == []
    (found,) = signatures.claims("status alloc failed\nin CUBLASCREATE(handle)")
    assert (found.number, found.start, found.end, found.context) == (1, 0, 19, True)


def test_claims_stand_in_the_order_of_the_knowledge(signatures: StoredWordings) -> None:
    found = signatures.claims(f"nan\nstatus alloc failed in cublasDestroy\n{OOM}")
    assert [(claim.entry, claim.number) for claim in found] == [
        ("gpu-out-of-memory", 0),
        ("gpu-out-of-memory", 1),
        ("loss-is-nan", 0),
    ]


def test_a_pattern_is_compiled_only_where_its_literal_stands(signatures: StoredWordings) -> None:
    signatures.claims("nothing of the kind")
    assert signatures._compiled == {}
    signatures.claims("a status alloc failed")
    assert set(signatures._compiled) == {r"status\s+alloc\s+failed", r"cublas(?:Create|Destroy)"}


def test_a_pattern_is_compiled_only_where_all_that_it_requires_stands() -> None:
    row = wordings_of("a", [Signature(r"expected \w+ but (?:found|got) \w+ instead of it", "")])[0]
    assert (row.literals, row.further) == (("instead of it",), "expected\nbut\nfound\tgot")
    signatures = Wordings([row])
    assert signatures.claimants("Expected 3, got 4 instead of it") == set()
    assert signatures._compiled == {}
    assert signatures.claimants("Expected x but\ngot y instead of it") == {"a"}


def test_a_pattern_without_a_literal_is_tried_on_every_text() -> None:
    signatures = Wordings([Wording("bare", 0, r"\d\d", None, (), (), "")])
    assert [claim.entry for claim in signatures.claims("page 12")] == ["bare"]
    assert signatures.claims("page x") == []


@pytest.mark.parametrize(
    "text", ["xabc needed now", "ABC  Needed\nnow", "abc needed", "abc, needed now", "needed"]
)
def test_a_literal_is_found_through_its_word(text: str) -> None:
    """As often as by looking for every literal in every text."""
    patterns = ["abc needed now", "needed", "bc needed"]
    rows = [row for at, each in enumerate(patterns) for row in wordings_of(str(at), [Signature(each, each)])]
    assert [row.words for row in rows] == [("needed",), ("",), ("",)]
    wanted = {str(at) for at, each in enumerate(patterns) if each in squeezed(text)}
    assert Wordings(rows).claimants(text) == wanted


def test_what_the_file_is_asked_for_is_what_all_signatures_give(assistant: Assistant) -> None:
    store = assistant.store
    asked = StoredWordings(store.db)
    texts = [each.example for id in store.ids() for each in store.pitfall(id).signatures]
    for text in map(squeezed, ["", *texts]):
        assert asked.possible(text) == store.wordings.all.possible(text)
    assert "all" not in vars(asked)
    asked.possible(" ".join(map(str, range(MAX_ASKED_WORDS))))
    assert "all" in vars(asked)
