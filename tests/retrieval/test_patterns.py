"""How a pattern is read. Oracle: its rule (a space stands for any white space) case by case, and RE2."""

from __future__ import annotations

import pytest
import re2

from torchwhy.knowledge.patterns import compile_pattern, groups_of, spaced


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("a b", r"a\s+b"),
        ("a   b", r"a\s+b"),
        (" a ", r"\s+a\s+"),
        ("a b?", r"a\s+b?"),
        ("a ?b", r"a\s?b"),
        ("a *b", r"a\s*b"),
        ("a +b", r"a\s+b"),
        ("a {2}b", r"a\s{2}b"),
        ("[a b] c", r"[a b]\s+c"),
        (r"[\] b] c", r"[\] b]\s+c"),
        (r"\[ a", r"\[\s+a"),
        ("] a", r"]\s+a"),
        ("[a[ b] c", r"[a[ b]\s+c"),
        (r"a\ b", r"a\ b"),
        ("", ""),
    ],
)
def test_spaces(pattern: str, wanted: str) -> None:
    assert spaced(pattern) == wanted


@pytest.mark.parametrize("pattern", ["[] ]x", "[^] ]x", "[[:alpha:] ]x"])
def test_a_space_in_any_class_stays(pattern: str) -> None:
    assert spaced(pattern) == pattern


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        (r"(?P<a>x)(?<b_2>y)(?P<a>z)", ["a", "b_2", "a"]),
        (r"\(?P<a>x", []),  # an optional bracket
        (r"\\(?P<a>x)", ["a"]),  # a backslash, then a group
        (r"(?:x)(y)", []),
    ],
)
def test_names_of_groups(pattern: str, wanted: list[str]) -> None:
    assert groups_of(pattern) == wanted


def test_case_is_ignored_and_a_dot_stops_at_a_lines_end() -> None:
    assert compile_pattern("out of MEMORY").search("Out\n  of memory")
    assert not compile_pattern("out.of").search("out\nof")


def test_what_re2_refuses_is_an_error() -> None:
    with pytest.raises(re2.error):
        compile_pattern("(?=ahead)")
