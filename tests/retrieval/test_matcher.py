"""From evidence to probabilities. Oracle: the softmax by hand; a matcher on a made store and made vectors."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.support.made import MEMORY, NAN, open_store, other
from torchwhy.knowledge.entry import Neighbour
from torchwhy.paste.parse import parse
from torchwhy.paste.paste import Found, Paste
from torchwhy.retrieval.features import NAMES, NONE_NAMES, FeatureTable
from torchwhy.retrieval.matcher import CLEAR_FROM, MAX_CANDIDATES, Matcher, query_text
from torchwhy.retrieval.ranking import SETTLED_LEAD_LOGITS, SETTLED_OVER_NONE_LOGITS, Ranking
from torchwhy.retrieval.store import Store
from torchwhy.retrieval.vectors import Near


def ranking(weights: Sequence[float], none: Sequence[float], temperature: float = 1.0) -> Ranking:
    part = {"weights": list(weights), "none": list(none), "temperature": temperature, "threshold": 0.5}
    half = {**part, "temperature": temperature * 2, "threshold": 0.25}
    return Ranking({"full": part, "quick": half})


def evidence(
    rows: dict[str, list[float]], none: Sequence[float] = (1.0,), settled: str | None = None
) -> FeatureTable:
    return FeatureTable(rows, list(none), {}, settled)


TWO = evidence({"a": [1.0, 2.0], "b": [3.0, -1.0]})
PLAIN = ranking([1.0, 0.5], [0.25])  # a: 2, b: 2.5, none: 0.25


def softmax(*scores: float, temperature: float = 1.0) -> list[float]:
    exps = [math.exp(score / temperature) for score in scores]
    return [each / sum(exps) for each in exps]


def test_probabilities_are_the_softmax_of_the_scores() -> None:
    found, none = PLAIN.probabilities(TWO, True)
    b, a, nothing = softmax(2.5, 2.0, 0.25)
    assert [entry for _, _, entry in found] == ["b", "a"]
    assert [score for _, score, _ in found] == [2.5, 2.0]
    assert [p for p, _, _ in found] == pytest.approx([b, a])
    assert none == pytest.approx(nothing)


def test_questions_in_words_have_weights_of_their_own_by_language() -> None:
    both = ranking([1.0, 0.5], [0.25])
    both.full = both.full._replace(words={"zh": PLAIN.full._replace(entry=(0.0, -1.0), threshold=0.9)})
    assert both.of(TWO, True).threshold == both.of(TWO._replace(lang="en"), True).threshold == 0.5
    assert both.of(TWO._replace(lang="zh"), True).threshold == 0.9
    assert both.of(TWO._replace(lang="zh"), False).threshold == 0.25
    assert both.probabilities(TWO._replace(lang="zh"), True)[0][0][1:] == (1.0, "b")


def test_they_sum_to_one_however_large_the_scores() -> None:
    found, none = ranking([900.0, -900.0], [-900.0]).probabilities(TWO, True)
    assert sum(p for p, _, _ in found) + none == pytest.approx(1.0)
    assert found[0][0] == pytest.approx(1.0)


def test_nothing_at_hand_leaves_none() -> None:
    assert PLAIN.probabilities(evidence({}), True) == ([], 1.0)


def test_equal_scores_stand_in_the_order_of_ids() -> None:
    rows = {"b": [1.0, 0.0], "c": [1.0 + 1e-9, 0.0], "a": [1.0, 0.0]}
    found, _ = PLAIN.probabilities(evidence(rows), True)
    assert [entry for _, _, entry in found] == ["a", "b", "c"]


@pytest.mark.parametrize("temperature", [1.0, 2.0])
def test_what_is_settled_stands_a_lead_above_the_others(temperature: float) -> None:
    found, none = ranking([1.0, 0.5], [0.25], temperature).probabilities(
        evidence(TWO.rows, settled="a"), True
    )
    assert [(entry, score) for _, score, entry in found] == [
        ("a", 2.5 + SETTLED_LEAD_LOGITS * temperature),
        ("b", 2.5),
    ]
    wanted = softmax(2.5 + SETTLED_LEAD_LOGITS * temperature, 2.5, 0.25, temperature=temperature)
    assert [p for p, _, _ in found] + [none] == pytest.approx(wanted)


@pytest.mark.parametrize("temperature", [1.0, 2.0])
def test_none_stands_below_what_is_settled(temperature: float) -> None:
    settled = evidence({"a": [1.0, 0.0]}, [100.0], "a")
    found, none = ranking([1.0, 0.0], [1.0], temperature).probabilities(settled, True)
    assert found[0][0] / none == pytest.approx(math.exp(SETTLED_OVER_NONE_LOGITS))
    assert found[0][0] > none


def test_a_row_of_another_width_is_refused() -> None:
    with pytest.raises(ValueError, match="features"):
        PLAIN.probabilities(evidence({"a": [1.0]}), True)


NAMED = {"features": NAMES, "none_features": NONE_NAMES}


def test_weights_of_other_features_are_refused(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(json.dumps({**PLAIN.data, **NAMED, "features": ["settled"]}), "utf-8")
    with pytest.raises(ValueError, match="fit it anew"):
        Ranking.load(tmp_path / "r.json")


# what is asked for


ROOT = Found("root", "torch.cuda.OutOfMemoryError", "no room", 0, 1)


def test_what_is_embedded_is_the_leading_error_or_the_question() -> None:
    lines = ("torch.cuda.OutOfMemoryError: no room", "this happens only when I train on two cards")
    assert query_text(Paste(lines, (ROOT,), "en")) == "OutOfMemoryError: no room"
    assert query_text(Paste(("Killed",), (Found("root", "", "Killed", 0, 1),), "en")) == "Killed"
    assert query_text(Paste(("  why so slow ",), (), "en")) == "why so slow"


# the matcher

ENTRIES = (MEMORY, NAN, *(other(f"entry-{at:02}", f"topic{chr(97 + at)} matters") for at in range(26)))
OOM = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"


class MadeVectors:
    """Vectors that say one thing of every text, and remember what they were asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def near(self, texts: Sequence[str]) -> list[Near]:
        self.asked.append(list(texts))
        return [Near({"loss-is-nan": [0.9, 0.1, 0.1, 0.1, 0.1]}, {"loss-is-nan": 0.0}, -1.0) for _ in texts]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = open_store(tmp_path_factory.mktemp("match"), *ENTRIES)
    yield made
    made.db.close()


def weights(**by_name: float) -> list[float]:
    return [by_name.get(name, 0.0) for name in NAMES]


def by_words(threshold: float = 0.3, **features: float) -> Ranking:
    part = {
        "weights": weights(**features),
        "none": [0.0] * len(NONE_NAMES),
        "temperature": 1.0,
        "threshold": threshold,
    }
    return Ranking({"full": part, "quick": part})


def test_what_a_signature_settles_needs_no_vectors(store: Store) -> None:
    vectors = MadeVectors()
    ranked = Matcher(store, lambda: vectors, by_words(lexical_whole=1.0)).rank(parse(OOM))
    assert (ranked.candidates[0].id, ranked.settled, ranked.answered, ranked.vectors) == (
        "gpu-out-of-memory",
        True,
        True,
        False,
    )
    assert ranked.candidates[0].claim is not None
    assert dict(ranked.candidates[0].claim.groups) == {"tried": "2.00 GiB"}
    assert vectors.asked == []


def test_what_is_not_settled_shares_one_batch_of_vectors(store: Store) -> None:
    vectors = MadeVectors()
    matcher = Matcher(store, lambda: vectors, by_words(cosine_title=9.0))
    texts = ["it gets worse overnight", OOM, "ValueError: no idea\n\nand I wrote this with five words"]
    ranked = matcher.rank_many([parse(text) for text in texts])
    assert [each.vectors for each in ranked] == [True, False, True]
    assert vectors.asked == [["it gets worse overnight", "ValueError: no idea"]]
    assert (ranked[0].candidates[0].id, ranked[0].candidates[0].cosine) == ("loss-is-nan", 0.9)
    assert ranked[0].answered


def test_in_full_a_settled_text_stays_answered(store: Store) -> None:
    vectors = MadeVectors()
    matcher = Matcher(store, lambda: vectors, by_words())
    matcher.ranking.full = matcher.ranking.full._replace(
        threshold=2.0
    )  # the full ranking answers nothing of its own
    ranked = matcher.rank_many([parse(OOM), parse("worse overnight")], early=False)
    assert [each.vectors for each in ranked] == [True, True]
    assert [each.answered for each in ranked] == [True, False]
    assert len(vectors.asked) == 1


@pytest.mark.parametrize(("with_vectors", "wanted"), [(True, False), (False, True)])
def test_each_ranking_has_its_threshold(store: Store, with_vectors: bool, wanted: bool) -> None:
    sure = by_words(lexical_whole=9.0)
    sure.quick, sure.full = sure.quick._replace(threshold=0.5), sure.full._replace(threshold=1.1)
    ranked = Matcher(store, lambda: MadeVectors() if with_vectors else None, sure).rank(
        parse("topicd raises an error")
    )
    assert ranked.candidates[0].probability > 0.5
    assert ranked.answered is wanted


def test_without_vectors_words_decide(store: Store) -> None:
    ranked = Matcher(store, lambda: None, by_words(lexical_whole=5.0)).rank(parse("topicc matters"))
    best = ranked.candidates[0]
    assert (best.id, best.lexical, best.cosine, best.claim) == ("entry-02", 1.0, 0.0, None)
    assert (ranked.vectors, ranked.settled) == (False, False)


def test_no_more_than_a_few_candidates_are_kept(store: Store) -> None:
    ranked = Matcher(store, lambda: None, by_words()).rank(parse("matters"))
    assert len(ranked.candidates) == MAX_CANDIDATES
    assert not ranked.answered


def test_an_answer_is_likelier_than_none(store: Store) -> None:
    sure = by_words(0.0)
    sure.quick = sure.quick._replace(none=(5.0, *[0.0] * (len(NONE_NAMES) - 1)))
    ranked = Matcher(store, lambda: None, sure).rank(parse("topicc"))
    assert ranked.none > ranked.candidates[0].probability
    assert not ranked.answered


def test_the_evidence_with_and_without_vectors(store: Store) -> None:
    matcher = Matcher(store, lambda: None)
    paste = parse("topicc matters")
    (near,) = MadeVectors().near(["x"])
    at = NAMES.index("cosine_title")
    assert "loss-is-nan" not in matcher.features(paste).rows
    assert matcher.features(paste, near).rows["loss-is-nan"][at] == 0.9
    assert matcher.ranking.data == Ranking.load().data


# neighbours

MISSING = "RuntimeError: shard manifest of step 120 is missing"


@pytest.fixture(scope="module")
def loader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two entries on the same words, of which one says that a line is none of its own."""
    refusing = other("stale-manifest", "the shard manifest is stale or missing")._replace(
        neighbours=(
            Neighbour("our loader", MISSING),
            Neighbour("our loader", "shards read: 12"),
            Neighbour("a server", "CUDA out of memory on host 3"),
        ),
    )
    made = open_store(
        tmp_path_factory.mktemp("loader"), refusing, other("lost-manifest", "a manifest is missing"), MEMORY
    )
    yield made
    made.db.close()


@pytest.mark.parametrize(
    "text",
    [
        MISSING,
        "RuntimeError:  shard manifest of step 7 is\tmissing",
        "RuntimeError: shard manifest of step is missing",
        "RuntimeError: shard manifest of step 0x7f is missing",
        f'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    read()\n{MISSING}',
        f"why this?\n\n{MISSING}",
        "ours.errors.RuntimeError: shard manifest of step 120 is missing",
    ],
)
def test_a_neighbours_line_is_not_answered_from_words(loader: Store, text: str) -> None:
    paste, ranking = parse(text), by_words(lexical_whole=5.0)
    matcher = Matcher(loader, lambda: None, ranking)
    rows, none = ranking.probabilities(matcher.features(paste), False)
    before = {entry: probability for probability, _, entry in rows}
    ranked = matcher.rank(paste)
    after = {scored.id: scored.probability for scored in ranked.candidates}
    assert "stale-manifest" not in after
    # its share goes to "none"; the others are no likelier than they were
    assert ranked.none == pytest.approx(none + before.pop("stale-manifest"), abs=1e-3)
    assert after == pytest.approx(before, abs=1e-3)


@pytest.mark.parametrize(
    "text",
    [
        "RuntimeError: shard manifest of step 120 is stale",
        "the shard manifest is missing",
        "ValueError: shard",
    ],
)
def test_another_line_is_answered_as_before(loader: Store, text: str) -> None:
    ranked = Matcher(loader, lambda: None, by_words(lexical_whole=5.0)).rank(parse(text))
    assert ranked.candidates[0].id == "stale-manifest"


def test_an_unclaimed_error_is_answered_only_where_one_entry_stands_clear(loader: Store) -> None:
    paste, found = parse("ValueError: the shard manifest is stale"), {}
    for weight in (1.0, 2.0, 3.0, 4.0, 6.0, 8.0):
        ranked = Matcher(loader, lambda: None, by_words(lexical_whole=weight)).rank(paste)
        found[ranked.candidates[0].probability] = ranked.answered
    assert found == {probability: probability >= CLEAR_FROM for probability in found}
    assert any(0.5 < probability < CLEAR_FROM for probability in found)
    assert any(found.values())


def test_a_neighbour_without_an_error_counts_as_well(loader: Store) -> None:
    ranked = Matcher(loader, lambda: None, by_words(lexical_whole=5.0)).rank(parse("shards read: 13"))
    assert "stale-manifest" not in [scored.id for scored in ranked.candidates]


def test_an_entry_answers_what_its_own_signature_matches(tmp_path: Path) -> None:
    refusing = MEMORY._replace(neighbours=(Neighbour("a server", OOM.replace("2.00", "3.00")),))
    store = open_store(tmp_path, refusing, NAN)
    assert Matcher(store, lambda: None, by_words()).rank(parse(OOM)).candidates[0].id == MEMORY.id
