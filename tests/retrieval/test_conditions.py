"""The language of `when`. Oracle: the unit table and the rules of its docstring, by hand."""

from __future__ import annotations

import pytest

from torchwhy.knowledge.conditions import ConditionError, comparisons, holds, quantity, version


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("12", 12.0),
        (" 1,024 ", 1024.0),
        ("-1.5e3", -1500.0),
        ("2 GiB", 2 * 2**30),
        ("3kb", 3072.0),
        ("250 ms", 0.25),
        ("50%", 0.5),
        ("1 seconds", 1.0),
        ("12 apples", None),
        ("x", None),
        ("", None),
        ("1 2", None),
    ],
)
def test_quantities(text: str, wanted: float | None) -> None:
    assert quantity(text) == (pytest.approx(wanted) if wanted is not None else None)


@pytest.mark.parametrize(
    ("text", "wanted"), [("v2.6.0+cu124", (2, 6, 0)), ("12.4", (12, 4)), ("12", None), ("cu12.4", None)]
)
def test_releases(text: str, wanted: tuple[int, ...] | None) -> None:
    assert version(text) == wanted


def test_a_condition_is_split() -> None:
    assert comparisons("a < b  and c.d-e >= '1 GiB'") == [(("a",), "<", "b"), (("c.d-e",), ">=", "1 GiB")]
    assert comparisons("a + b >= c") == [(("a", "b"), ">=", "c")]


def test_names_on_the_left_are_checked() -> None:
    assert comparisons("a < zzz", {"a"}) == [(("a",), "<", "zzz")]
    with pytest.raises(ConditionError, match="'b' is none of a"):
        comparisons("a < 1 and b < 1", {"a"})
    with pytest.raises(ConditionError, match="'c' is none of a"):
        comparisons("a + c < 1", {"a"})
    with pytest.raises(ConditionError, match="no names"):
        comparisons("a < 1", ())


@pytest.mark.parametrize("text", ["", "a", "a <", "< 1", "1 < a", "a ~ b", "import os", "a + < b"])
def test_what_is_no_comparison(text: str) -> None:
    with pytest.raises(ConditionError, match="no comparison"):
        comparisons(text)


@pytest.mark.parametrize(
    ("symbol", "wanted"),
    [
        ("<", (True, False, False)),
        ("<=", (True, True, False)),
        (">", (False, False, True)),
        (">=", (False, True, True)),
        ("==", (False, True, False)),
        ("!=", (True, False, True)),
    ],
)
def test_each_operator_below_at_and_above(symbol: str, wanted: tuple[bool, bool, bool]) -> None:
    assert (
        tuple(holds(f"a {symbol} 1 GiB", {"a": each}) for each in ("1023 MiB", "1024 MiB", "1025 MiB"))
        == wanted
    )


@pytest.mark.parametrize(
    ("when", "values", "wanted"),
    [
        ("a == b", {"a": "1", "b": "1.0"}, True),  # a name on the right
        ("a == b", {"a": "b"}, True),  # no such name: a literal
        ("a == b", {"a": "1", "b": None}, False),  # a missing value equals nothing
        ("a != b", {"a": "1", "b": None}, False),
        ("a < 2", {}, False),
        ("a == none", {}, True),
        ("a == none", {"a": 0}, False),
        ("a != none", {"a": 0}, True),
        ("a != none", {}, False),
        ("a == Long", {"a": "long"}, True),
        ("a != long", {"a": "float"}, True),
        ("a < long", {"a": "float"}, False),  # texts are not ordered
        ("a == yes", {"a": True}, True),
        ("a == no", {"a": False}, True),
        ("a >= 3", {"a": 3}, True),
        ("a < 2 and b < 2", {"a": 1, "b": 1}, True),
        ("a < 2 and b < 2", {"a": 1, "b": 3}, False),
        ("a == b", {"a": "1,024", "b": "1024"}, True),
        ("a + b >= c", {"a": "142.12 MiB", "b": "185.50 MiB", "c": "256.00 MiB"}, True),
        ("a + b >= c", {"a": "42.12 MiB", "b": "185.50 MiB", "c": "256.00 MiB"}, False),
        ("a + b >= c", {"a": "1 GiB", "b": None, "c": "256.00 MiB"}, False),
        ("a == 'this or that'", {"a": "this or that"}, True),
        ("a < b + c", {"a": "2 MiB", "b": "1 MiB", "c": "1025 KiB"}, True),  # a sum on the right
    ],
)
def test_holds(when: str, values: dict[str, object], wanted: bool) -> None:
    assert holds(when, values) is wanted


@pytest.mark.parametrize(
    ("when", "value", "wanted"),
    [
        ("a < 12.10", "12.9", True),
        ("a >= 2", "2.0.1", True),
        ("a == 12", "12.0", True),
        ("a == 12.0.0", "12", True),
        ("a != 12.1", "12", True),
        ("a < 3", "unknown", False),
        ("a == unknown", "unknown", True),
    ],
)
def test_releases_are_compared_number_by_number(when: str, value: str, wanted: bool) -> None:
    assert holds(when, {"a": value}, {"a"}) is wanted


@pytest.mark.parametrize("when", ["a < b or a < c", "a == 1 || a == 2"])
def test_an_or_is_told_what_to_write(when: str) -> None:
    """Its right side would be a literal that nothing equals: the statement would never be said."""
    with pytest.raises(ConditionError, match="two statements"):
        comparisons(when, {"a"})


@pytest.mark.parametrize("symbol", ["<", "<=", ">", ">="])
def test_nothing_is_ordered_against_none(symbol: str) -> None:
    assert not holds(f"a {symbol} none", {"a": "1"})
