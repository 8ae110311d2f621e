"""The literal text that any match of a pattern must hold: a cheap test before a pattern is compiled at all.

Compiling some 500 patterns costs more than a whole question may take; looking for 500 short strings in a lower-cased
paste costs under a millisecond. Run when knowledge is compiled, not when a question is asked.
"""

from __future__ import annotations

import re
import sys
from typing import Any

if sys.version_info >= (3, 11):
    from re import _constants as constants  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
else:
    import sre_constants as constants
    import sre_parse as parser

SHORTEST = 3


def required_literals(pattern: str) -> tuple[str, ...]:
    """Lower-case texts, one of which stands in every match (white space single); () where none can be named."""
    try:
        tree = parser.parse(re.sub(r"\(\?P?<", "(?P<", pattern.replace(r"\z", r"\Z")))
    except (re.error, OverflowError):
        return ()
    best = _best(tree)
    return best if best and min(map(len, best)) >= SHORTEST else ()


def squeezed(text: str) -> str:
    """The form in which literals are looked for: lower case, each run of white space one blank."""
    return " ".join(text.lower().split())


def _best(tree: Any) -> tuple[str, ...]:
    """The most selective alternative set among everything that the sequence requires."""
    found = [option for option in _sequence(tree) if option and all(option)]
    return max(found, key=lambda option: (min(map(len, option)), -len(option)), default=())


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
    return len(items) == 1 and items[0][0] is constants.IN and items[0][1] == [(constants.CATEGORY, constants.CATEGORY_SPACE)]
