"""The language of `when`: units, releases, missing values."""

from __future__ import annotations

import pytest

from torchwhy.knowledge.conditions import ConditionError, comparisons, holds, quantity, version


@pytest.mark.parametrize(
    ("when", "values", "expected"),
    [
        ("idle < tried", {"idle": "142.12 MiB", "tried": "256.00 MiB"}, True),
        ("idle < tried", {"idle": "1.5 GiB", "tried": "256.00 MiB"}, False),
        ("idle >= tried", {"idle": "1.00 GiB", "tried": "1024.00 MiB"}, True),
        ("a != b", {"a": "512", "b": "784"}, True),
        ("a == b", {"a": "1,024", "b": "1024"}, True),
        ("a < b", {"a": "9", "b": "10"}, True),
        ("a > 1 GiB", {"a": "2048 MiB"}, True),
        ("a == none", {"a": None}, True),
        ("a == none", {}, True),
        ("a != none", {"a": "x"}, True),
        ("a < b", {"a": "1"}, False),
        ("a == float", {"a": "Float"}, True),
        ("a != long", {"a": "Float"}, True),
        ("a < b and b < c", {"a": "1", "b": "2", "c": "3"}, True),
        ("a < b and b < c", {"a": "1", "b": "2", "c": "2"}, False),
        ("ok == yes", {"ok": True}, True),
        ("idle + free >= tried", {"idle": "142.12 MiB", "free": "185.50 MiB", "tried": "256.00 MiB"}, True),
        ("idle + free >= tried", {"idle": "42.12 MiB", "free": "185.50 MiB", "tried": "256.00 MiB"}, False),
        ("idle + free >= tried", {"idle": "1 GiB", "free": None, "tried": "256.00 MiB"}, False),
        ("what == 'this or that'", {"what": "this or that"}, True),
    ],
)
def test_holds(when: str, values: dict, expected: bool) -> None:
    assert holds(when, values) is expected


def test_releases_are_compared_as_releases() -> None:
    assert holds("driver.cuda < torch.cuda", {"driver.cuda": "12.4", "torch.cuda": "12.10"}, {"driver.cuda"})
    assert not holds(
        "driver.cuda < torch.cuda", {"driver.cuda": "12.10", "torch.cuda": "12.4"}, {"driver.cuda"}
    )
    assert holds("driver.cuda == 12", {"driver.cuda": "12.0"}, {"driver.cuda"})


@pytest.mark.parametrize(
    "text", ["", "a", "a <", "< b", "a ~ b", "import os", "a + < b", "a < b or a < c", "a == 1 || a == 2"]
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(ConditionError):
        comparisons(text, {"a"})


def test_an_or_is_told_what_to_write() -> None:
    """Its right side would be a literal that nothing equals: the statement would never be said."""
    with pytest.raises(ConditionError, match="two statements"):
        comparisons("a < b or a < c", {"a"})


def test_quantities() -> None:
    assert quantity("20.00 MiB") == 20 * 2**20
    assert quantity("512 bytes") == 512
    assert quantity("torch.Size([3])") is None
    assert version("2.13.0+cpu") == (2, 13, 0)
    assert version("none") is None
