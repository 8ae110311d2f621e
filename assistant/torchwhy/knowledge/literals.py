"""The literal text that every match of a pattern contains: a cheap test before the pattern is compiled at
all.

Compiling some 500 patterns costs more than a whole question may take; looking for 500 short strings in a
lower-cased paste costs under a millisecond. Run when knowledge is compiled, not when a question is asked.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from torchwhy.text.lazy_re import lazy_compile

if sys.version_info >= (3, 11):
    from re import _constants as constants  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
else:
    import sre_constants as constants
    import sre_parse as parser

MIN_LITERAL_CHARS = 3
_NAMED_CLASS = lazy_compile(r"\[:\^?\w+:\]")  # [[:alpha:]]
_GROUP = lazy_compile(r"(?<!\\)((?:\\\\)*)\(\?P?<(?![=!])")


def all_required_literals(pattern: str) -> list[tuple[str, ...]]:
    """Sets of lower-case texts, of each of which every match contains one (runs of white space as one blank);
    [] if none is certain.
    """
    if _NAMED_CLASS.search(pattern):  # which Python's parser takes for a set of letters
        return []
    try:
        found = _sequence(parser.parse(_GROUP.sub(r"\1(?P<", pattern.replace(r"\z", r"\Z"))))
    except (re.error, OverflowError, RecursionError):  # RE2 nests 1,000 deep, re does not
        return []
    return [texts for texts in found if texts and min(map(len, texts)) >= MIN_LITERAL_CHARS]


_WORD = lazy_compile(r"\w+", re.ASCII)
_WHOLE_WORD = lazy_compile(r"(?<=[^\w])\w+(?=[^\w])", re.ASCII)


def whole_word(literal: str) -> str:
    """The longest word that stands whole inside a literal; "" where it has none.

    A text that holds the literal holds this as a word of its own, which one look into the text's words tells.
    """
    return max(_WHOLE_WORD.findall(literal), key=len, default="")


def words_of(text: str) -> set[str]:
    """The words of a squeezed text, as `whole_word` counts them."""
    return set(_WORD.findall(text))


def squeezed(text: str) -> str:
    """The form in which literals are looked for: lower case, each run of white space one blank."""
    return " ".join(text.lower().split())


def _best(tree: Any) -> tuple[str, ...]:
    """The most selective alternative set among everything that the sequence requires."""
    found = [option for option in _sequence(tree) if option and all(option)]
    return most_selective(found)


def most_selective(found: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Of sets of alternatives the one that fewest texts hold: long texts, then few of them; () of none."""
    return max(found, key=lambda texts: (min(map(len, texts)), -len(texts)), default=())


def _sequence(tree: Any) -> list[tuple[str, ...]]:
    """Sets of alternatives, each of which the sequence requires: runs of literals, and the branches' own."""
    result: list[tuple[str, ...]] = []
    run = ""

    def end() -> None:
        nonlocal run
        text = squeezed(run)
        if text:
            result.append((text,))
        run = ""

    for operation, argument in tree:
        if operation is constants.LITERAL:
            run += chr(argument) if not chr(argument).isspace() else " "
        elif operation is constants.MAX_REPEAT and argument[0] >= 1 and _is_space(argument[2]):
            run += " "
        elif operation is constants.SUBPATTERN:
            inner = argument[-1]
            if all(item[0] is constants.LITERAL for item in inner):
                run += "".join(chr(item[1]) for item in inner)
            else:
                end()
                result += _sequence(inner)
        elif operation is constants.BRANCH:
            end()
            options = [_best(branch) for branch in argument[1]]
            if all(options):
                result.append(tuple(text for option in options for text in option))
        elif operation in (constants.MAX_REPEAT, constants.MIN_REPEAT) and argument[0] >= 1:
            end()
            result += _sequence(argument[2])
        else:
            end()
    end()
    return result


def _is_space(tree: Any) -> bool:
    items = list(tree)
    return (
        len(items) == 1
        and items[0][0] is constants.IN
        and items[0][1] == [(constants.CATEGORY, constants.CATEGORY_SPACE)]
    )
