"""The evidence as numbers. Oracle: by hand, rule by rule, on pastes and claims written as plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pytest

from torchwhy.knowledge.wordings import Claim
from torchwhy.paste.parse import parse
from torchwhy.paste.paste import Found, Paste
from torchwhy.retrieval.claims import ROLE_WEIGHT, Weighed, beats, line_starts, role_of, settle, weigh
from torchwhy.retrieval.features import LIKELY_ENTRIES as LIKELY
from torchwhy.retrieval.features import NAMES, NONE_NAMES, FeatureTable, WordFeatures, Words
from torchwhy.retrieval.features import collect as collect_words
from torchwhy.retrieval.vectors import Near


def collect(
    paste: Paste,
    claims: Sequence[Claim],
    whole: Mapping[str, float],
    lines: Mapping[str, float],
    kinds: Mapping[str, str],
    bayes: Mapping[str, float],
    near: Near | None = None,
) -> FeatureTable:
    return collect_words(WordFeatures(paste, claims, whole, lines, kinds, bayes), near)


KINDS = {"loud": "error", "other": "warning", "quiet": "silent"}


def claim(entry: str = "loud", start: int = 0, end: int = 20, context: bool = False) -> Claim:
    return Claim(entry, 0, start, end, (), context)


# beats


def test_a_context_beats_none_whatever_the_lengths() -> None:
    assert beats(claim(context=True, end=1), claim(end=99))
    assert not beats(claim(end=99), claim(context=True, end=1))


def test_a_match_that_holds_the_other_and_eight_more_beats_it() -> None:
    assert beats(claim(start=0, end=20), claim(start=4, end=16))
    assert not beats(claim(start=0, end=19), claim(start=4, end=16))


# settle


@pytest.mark.parametrize(
    ("claims", "wanted"),
    [
        ([], None),
        ([(1.0, True, claim("loud"))], "loud"),  # the only claim on the leading error
        ([(1.0, True, claim("loud")), (0.3, False, claim("other", end=99))], "loud"),
        ([(0.8, False, claim("loud"))], None),  # beside the leading error
        ([(1.0, True, claim("loud")), (1.0, True, claim("other"))], None),  # side by side
        ([(1.0, True, claim("other", 3, 9)), (1.0, True, claim("loud"))], "loud"),  # it beats every other
        ([(1.0, True, claim("loud")), (1.0, True, claim("other", 3, 9, context=True))], "other"),
        ([(1.0, True, claim("quiet"))], None),  # a silent entry settles with a context alone
        ([(1.0, True, claim("quiet", context=True))], "quiet"),
        ([(1.0, True, claim("loud")), (1.0, True, claim("quiet"))], "loud"),  # and hinders nobody
        ([(1.0, True, claim("stranger"))], None),  # of no known kind: as a silent one
    ],
)
def test_which_claim_settles(claims: list[tuple[float, bool, Claim]], wanted: str | None) -> None:
    assert settle({each.entry: Weighed(*rest, each) for *rest, each in claims}, KINDS) == wanted


def test_a_silent_entry_settles_where_it_alone_claims_an_exception() -> None:
    quiet = Weighed(1.0, True, claim("quiet"), raised=True)
    assert settle({"quiet": quiet}, KINDS) == "quiet"
    assert settle({"quiet": quiet, "loud": Weighed(0.3, False, claim("loud"))}, KINDS) == "quiet"
    assert settle({"quiet": quiet, "other": quiet._replace(claim=claim("other"))}, KINDS) != "quiet"
    assert settle({"quiet": quiet, "loud": Weighed(1.0, True, claim("loud"), raised=True)}, KINDS) == "loud"


def test_an_exception_that_ended_the_program_is_raised_or_a_warning_that_leads() -> None:
    def raised(text: str) -> bool:
        paste = parse(text)
        start = paste.text.index("sizes differ")
        return weigh(paste, [claim("quiet", start, start + 12)])["quiet"].raised

    assert raised("RuntimeError: the sizes differ")
    assert raised("train.py:3: UserWarning: the sizes differ")
    assert not raised("the sizes differ")
    assert not raised("UserWarning: the sizes differ\nRuntimeError: another")


# the error that a claim lies in

LINES = (
    "RuntimeError: shapes differ here",
    "seen",
    "ValueError: torch pipe",
    "RuntimeError: shapes differ here",
    "UserWarning: old",
)
ROOT = Found("root", "RuntimeError", "shapes differ here", 0, 1)
CASCADE = Found("cascade", "ValueError", "torch pipe", 2, 3)
COPY = Found("cascade", "RuntimeError", "shapes differ here", 3, 4, rank=1)
WARNED = Found("warning", "UserWarning", "old", 4, 5)
PASTE = Paste(LINES, (ROOT, CASCADE, COPY, WARNED), "en")
STARTS = [0, 33, 38, 61, 94]


@pytest.mark.parametrize(
    ("start", "end", "wanted"),
    [
        (0, 32, (1.0, True, ROOT)),
        (0, 0, (1.0, True, ROOT)),  # an empty match
        (
            14,
            50,
            (1.0, True, ROOT),
        ),  # over several lines: the first error that it touches, in the order of importance
        (33, 37, (0.45, False, None)),  # between the errors
        (38, 60, (ROLE_WEIGHT["cascade"], False, CASCADE)),
        (37, 38, (0.45, False, None)),  # up to the start of the error's line, not in it
        (61, 80, (1.0, True, COPY)),  # another rank's copy of the leading error
        (94, 99, (ROLE_WEIGHT["warning"], False, WARNED)),
    ],
)
def test_the_error_that_a_claim_lies_in(
    start: int, end: int, wanted: tuple[float, bool, Found | None]
) -> None:
    assert role_of(PASTE, claim(start=start, end=end), STARTS) == wanted


def test_a_log_line_that_says_the_leading_error_again_leads() -> None:
    root = Found("root", "RuntimeError", "CUDA error: timed out", 0, 1)
    said_again = Paste(
        ("RuntimeError: CUDA error: timed out", "listener: CUDA error: timed out"), (root,), "en"
    )
    assert role_of(said_again, claim(start=58, end=67), line_starts(said_again)) == (1.0, True, root)
    assert role_of(said_again, claim(start=36, end=44), line_starts(said_again)) == (0.45, False, None)


def test_without_an_error_every_claim_leads() -> None:
    words = Paste(("the loss is nan",), (), "en")
    assert role_of(words, claim(start=12, end=15), [0]) == (1.0, True, None)
    advice = Paste(("Hint: look",), (Found("advice", "", "Hint: look", 0, 1),), "en")
    assert role_of(advice, claim(start=0, end=4), [0]) == (1.0, True, None)


def test_each_of_several_warnings_leads_where_nothing_failed() -> None:
    first, second = Found("warning", "UserWarning", "a", 0, 1), Found("warning", "UserWarning", "b", 1, 2)
    warned = Paste(("UserWarning: a", "UserWarning: b"), (first, second), "en")
    assert role_of(warned, claim(start=15, end=20), [0, 15]) == (1.0, True, second)


# collect: one paste with every kind of candidate

FULL = Paste(
    ("RuntimeError: shapes differ here", "ValueError: torch pipe"),
    (ROOT, Found("cascade", "ValueError", "torch pipe", 1, 2)),
    "en",
    ("pip",),
)
KIND = {"shape-mix": "error", "pipe": "error", "quiet": "silent", "wordy": "silent"}
CLAIMS = [
    Claim("shape-mix", 0, 14, 32, (), False),
    Claim("shape-mix", 1, 14, 20, (), False),
    Claim("quiet", 0, 14, 20, (), False),
    Claim("pipe", 0, 45, 55, (), False),
    Claim("unknown", 0, 33, 40, (), False),
]
WHOLE = {"shape-mix": 4.0, "pipe": 2.0}
LINE = {"pipe": 3.0, "wordy": 1.5}
BAYES = {"shape-mix": 0.0, "pipe": -1.5, "wordy": -9.0}
NEAR = Near(
    {"shape-mix": [0.1, 0.5, 0.2, 0.0, 0.3], "quiet": [0.4, 0.2, 0.0, 0.0, 0.0]},
    {"shape-mix": -0.5, "quiet": 0.0, "wordy": -5.0},
    0.25,
)
EVIDENCE = collect(FULL, CLAIMS, WHOLE, LINE, KIND, BAYES, NEAR)
ROWS: dict[str, dict[str, float]] = {  # what is not named is zero
    "shape-mix": {
        "settled": 1,
        "claim_root": 1,
        "claim_length": math.log(19) / 5,
        "claim_rivals": 1,
        "claim_specific": 1,
        "lexical_whole": 1,
        "cosine_title": 0.1,
        "cosine_ask": 0.5,
        "cosine_cause": 0.2,
        "cosine_example": 0.3,
        "cosine_lead": 0.1,
        "id_words": 0.5,
        "discriminant": -0.5,
        "discriminant_lead": -0.5,
        "bayes_lead": 0.5,
    },
    "quiet": {
        "claim_symptom": 1,
        "claim_length": math.log(7) / 5,
        "claim_rivals": 1,
        "claim_specific": -1,
        "cosine_title": 0.4,
        "cosine_ask": 0.2,
        "cosine_lead": -0.1,
        "silent_for_error": 1,
        "discriminant_lead": 0.5,
    },
    "pipe": {
        "claim_other": 0.3,
        "claim_length": math.log(11) / 5,
        "claim_last": 1,
        "lexical_whole": 0.5,
        "lexical_line": 1,
        "lexical_both": 0.5,
        "cosine_lead": -0.3,
        "id_words": 1,
        "bayes": -0.5,
        "bayes_lead": -0.5,
    },
    "wordy": {
        "lexical_line": 0.5,
        "cosine_lead": -0.3,
        "silent_for_error": 1,
        "discriminant": -3,
        "discriminant_lead": -1.5,
        "bayes": -2,
        "bayes_lead": -1,
    },
}


@pytest.mark.parametrize("entry", ROWS)
def test_each_feature_by_hand(entry: str) -> None:
    found = dict(zip(NAMES, EVIDENCE.rows[entry], strict=True))
    assert found == pytest.approx({**dict.fromkeys(NAMES, 0.0), **ROWS[entry]})


def test_the_best_claim_of_each_entry_is_kept() -> None:
    assert EVIDENCE.claims == {
        "shape-mix": CLAIMS[0],
        "quiet": CLAIMS[2],
        "pipe": CLAIMS[3],
        "unknown": CLAIMS[4],
    }
    assert EVIDENCE.settled == "shape-mix"


NONE = {
    "bias": 1,
    "best_cosine": 0.5,
    "best_line": 0.1,
    "claimed": 1,
    "claimed_root": 1,
    "foreign": 1,
    "has_root": 1,
    "cosine_gap": 0.1,
    "torch_words": 1,
    "settled": 1,
    "discriminant_gap": 0.5,
    "bayes_gap": 0.5,
    "foreign_near": 0.25,
}


def test_each_feature_of_none_by_hand() -> None:
    found = dict(zip(NONE_NAMES, EVIDENCE.none, strict=True))
    assert found == pytest.approx({**dict.fromkeys(NONE_NAMES, 0.0), **NONE})


def none_of(
    paste: Paste,
    near: Near | None = None,
    claims: tuple[Claim, ...] = (),
    lines: dict[str, float] | None = None,
) -> dict[str, float]:
    evidence = collect(paste, claims, {}, lines or {}, KIND, {}, near)
    return dict(zip(NONE_NAMES, evidence.none, strict=True))


def test_none_without_any_evidence() -> None:
    assert none_of(Paste(("so slow",), (), "en")) == {
        **dict.fromkeys(NONE_NAMES, 0.0),
        "bias": 1.0,
        "short": 1.0,
    }


@pytest.mark.parametrize(  # fewer than six, counting words, and twelve letters as one
    ("text", "wanted"),
    [("", 1.0), ("a b c d efg", 1.0), ("a b c d efgh", 0.0), ("x" * 59, 1.0), ("x" * 60, 0.0)],
)
def test_a_short_question_by_its_words_and_letters(text: str, wanted: float) -> None:
    assert none_of(Paste((text,), (), "en"))["short"] == wanted


@pytest.mark.parametrize(("text", "wanted"), [("Torch", 1.0), ("CUDA", 1.0), ("my GPU", 1.0), ("numpy", 0.0)])
def test_words_of_the_field(text: str, wanted: float) -> None:
    assert none_of(Paste((text,), (), "en"))["torch_words"] == wanted


def test_what_is_far_out_is_held_within_bounds() -> None:
    words = Paste(("so slow",), (), "en", ("a", "b", "c"))
    assert none_of(words)["foreign"] == 2.0
    assert none_of(words, Near({}, {}, 7.5))["foreign_near"] == 3.0
    assert none_of(words, Near({}, {}, -7.5))["foreign_near"] == -3.0
    assert none_of(words, lines={"pipe": 90.0})["best_line"] == 1.0


def test_the_gap_is_to_the_sixth_best() -> None:
    kinds = {f"e{at}": "error" for at in range(8)}
    near = Near({f"e{at}": [0.8 - at / 10, 0.0, 0.0, 0.0, 0.0] for at in range(8)}, {}, 0.0)
    evidence = collect(Paste(("x",), (), "en"), (), {}, {}, kinds, {}, near)
    assert evidence.none[NONE_NAMES.index("cosine_gap")] == pytest.approx(0.5)


def test_only_the_likeliest_are_brought_in_by_their_scores() -> None:
    kinds = {f"e{at:02}": "error" for at in range(30)}
    scores = {entry: -float(at) for at, entry in enumerate(sorted(kinds))}
    paste = Paste(("x",), (), "en")
    assert sorted(collect(paste, (), {}, {}, kinds, scores).rows) == sorted(kinds)[:LIKELY]
    assert sorted(collect(paste, (), {}, {}, kinds, {}, Near({}, scores, 0.0)).rows) == sorted(kinds)[:LIKELY]
    assert sorted(collect(paste, (), {}, {}, kinds, dict.fromkeys(kinds, 0.0)).rows) == sorted(kinds)[:LIKELY]


def test_a_claim_on_the_leading_error_goes_before_a_longer_one_elsewhere() -> None:
    here, there = Claim("pipe", 0, 14, 20, (), False), Claim("pipe", 1, 33, 55, (), False)
    assert collect(FULL, [there, here], {}, {}, KIND, {}).claims == {"pipe": here}
    with_context = Claim("pipe", 2, 14, 16, (), True)
    assert collect(FULL, [here, with_context], {}, {}, KIND, {}).claims == {"pipe": with_context}


def test_many_beaten_rivals_count_as_two() -> None:
    kinds = dict.fromkeys("abcd", "error")
    claims = [Claim("a", 0, 0, 30, (), False), *(Claim(entry, 0, 2, 9, (), False) for entry in "bcd")]
    rows = collect(Paste(("x" * 40,), (), "en"), claims, {}, {}, kinds, {}).rows
    at = NAMES.index("claim_specific")
    assert [rows[entry][at] for entry in "abcd"] == [2.0, -1.0, -1.0, -1.0]


def test_a_huge_paste_is_read_by_its_distilled_form() -> None:
    paste = Paste(("cuda " * 5000, "ValueError: plain"), (Found("root", "ValueError", "plain", 1, 2),), "en")
    assert none_of(paste)["torch_words"] == 0.0


def test_what_a_question_says_in_words_are_features() -> None:
    told = Words("zh", frozenset({"quiet"}), -1.5, others=3)
    bayes = {"quiet": 0.0, "loud": -1.0}
    table = collect_words(WordFeatures(parse("显存一直涨"), (), {}, {}, KINDS, bayes, told))
    assert {entry: row.family_sign for entry, row in table.rows.items()} == {"quiet": 1.0, "loud": 0.0}
    assert (table.none.family_sign, table.none.innocent, table.lang) == (1.0, -1.5, "zh")
    assert table.none.foreign == 2.0  # two at most
    plain = collect_words(WordFeatures(parse("显存一直涨"), (), {}, {}, KINDS, bayes))
    assert (plain.none.family_sign, plain.none.innocent, plain.lang) == (0.0, 0.0, "")
