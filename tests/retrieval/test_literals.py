"""What any match of a pattern must hold. Oracle: the definition. Every text that a pattern matches, drawn
from the pattern itself, holds one of its literals once squeezed; patterns by hand, in the knowledge's style,
and made up.
"""

from __future__ import annotations

import re
import warnings

import pytest
import re2
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.support.literals import required_literals
from torchwhy.knowledge.literals import MIN_LITERAL_CHARS, all_required_literals, squeezed
from torchwhy.knowledge.patterns import options, spaced


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("out of memory", ("out of memory",)),
        ("CUDA", ("cuda",)),  # case is ignored
        ("ab", ()),  # shorter than is worth a look
        (r"abc\d+defg", ("defg",)),  # the longest run
        (r"\d+|x", ()),
        ("", ()),
        # white space
        (r"out\s+of\s+memory", ("out of memory",)),
        (r"out\sof memory", ("of memory",)),  # a single class is no run of white space
        (r"out\s*of memory", ("of memory",)),
        (r"(?:\s)+abc", ("abc",)),
        ("a\\n\tbcd", ("a bcd",)),
        # groups
        ("(abc)def", ("abcdef",)),
        ("(?:abc)def", ("abcdef",)),
        (r"(?P<n>abc)def", ("abcdef",)),
        (r"(?<n>abc\d)def", ("abc",)),  # RE2 takes both spellings
        (r"x(abc\d+wxyz)y", ("wxyz",)),
        # optional parts
        ("abcd?", ("abc",)),
        ("abc(?:defgh)?", ("abc",)),
        ("abc(?:defgh)*?", ("abc",)),
        ("abc(?:defgh){0,3}", ("abc",)),
        # repeats
        ("abc(?:defgh)+", ("defgh",)),
        ("abc(?:defgh)+?", ("defgh",)),
        ("abc(?:defgh){2,3}", ("defgh",)),
        ("abc.+defgh", ("defgh",)),
        ("abc.defg", ("defg",)),
        ("abcx+def", ("abc",)),
        # branches
        ("abc|defg", ("abc", "defg")),
        ("size (?:mismatch|differs)", ("mismatch", "differs")),
        ("sizes differ (?:abc|def)", ("sizes differ",)),
        ("(?:abc|de) x", ()),  # one of them is too short, and so is what follows
        (r"(?:abc|\d+) wxyz", ("wxyz",)),  # one of them may be anything
        ("(?:abcd|)", ()),
        ("x(?:abcd|y(?:efgh|ijkl)z)", ("abcd", "efgh", "ijkl")),
        # classes, anchors
        ("[abc]def", ("def",)),
        ("[a]bcd", ("abcd",)),
        ("[^a]bcd", ("bcd",)),
        (r"\babcd\b", ("abcd",)),
        (r"^abc$", ("abc",)),
        (r"abc\z", ("abc",)),
        (r"abc\.def\(", ("abc.def(",)),
        # what Python's parser does not know
        (r"\pLabcd", ()),
        (r"abc\Qdef", ()),
        ("(abc", ()),
        ("a{99999999999999}bcd", ()),
    ],
)
def test_by_hand(pattern: str, wanted: tuple[str, ...]) -> None:
    assert required_literals(pattern) == wanted


def test_of_equal_lengths_the_one_with_fewer_alternatives() -> None:
    assert required_literals(r"(?:abcd|efgh)\d(?:wxyz)\d(?:ijkl|mnop)") == ("wxyz",)


@pytest.mark.parametrize(("text", "wanted"), [("  A\n\tB  c ", "a b c"), ("", ""), ("显存 OOM", "显存 oom")])
def test_squeezed(text: str, wanted: str) -> None:
    assert squeezed(text) == wanted


def holds_one(pattern: str, matched: str, around: str = "") -> bool:
    """Whether a match holds one text of every set that the pattern is said to require."""
    literals, every = required_literals(pattern), all_required_literals(pattern)
    assert literals in every if literals else not every
    text = squeezed(around + matched + around)
    return all(any(literal in text for literal in texts) for texts in every)


ATOMS = st.sampled_from(
    ["abc", "Def gh", "x", r"\d", r"\s+", r"\s", ".", "[ab]", "[^c]", r"\.", "wxyz", r"\b", "显存"]
)


def repeated(part: str, how: str) -> str:
    """A repeat without end of a repeat without end would keep `re`, which draws the texts, busy for ever."""
    endless = "+" in part or "*" in part
    return f"(?:{part}){'{1,2}' if endless and how in ('*', '+', '+?') else how}"


def deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    repeat = st.sampled_from(["?", "*", "+", "{2}", "{0,2}", "{1,2}", "??", "+?"])
    return st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        inner.map(lambda part: f"({part})"),
        st.tuples(inner, repeat).map(lambda pair: repeated(*pair)),
    )


PATTERNS = st.lists(st.recursive(ATOMS, deeper, max_leaves=6), min_size=2, max_size=5).map("".join)


@settings(max_examples=80, deadline=None)
@given(pattern=PATTERNS, data=st.data())
def test_whatever_any_pattern_matches_holds_one(pattern: str, data: st.DataObject) -> None:
    literals = required_literals(spaced(pattern))
    assert all(len(literal) >= MIN_LITERAL_CHARS and literal == squeezed(literal) for literal in literals)
    matched = data.draw(st.from_regex(re.compile(spaced(pattern), re.ASCII | re.IGNORECASE), fullmatch=True))
    assume(re2.compile(spaced(pattern), options()).search(matched))
    assert holds_one(spaced(pattern), matched)


@pytest.mark.parametrize(
    ("pattern", "text"), [("foo[[:alpha:]]bar", "fooxbar"), (r"shape \(?<unknown", "shape <unknown")]
)
def test_what_re2_alone_reads_so(pattern: str, text: str) -> None:
    assert re2.compile(spaced(pattern), options()).search(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        assert holds_one(spaced(pattern), text)
