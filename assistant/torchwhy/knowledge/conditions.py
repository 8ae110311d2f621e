"""The little language of `when`: `idle < tried`, `shm.total < 1 GiB and container == yes`.

Comparisons joined by `and`. The left side is a name (a group of the pattern, or a fact of the machine) or a
sum of names, `idle + free >= tried`; the right side a name, such a sum or a literal. Values are parsed with
their units, so "8.93 GiB" and "9143 MiB" compare as bytes. A comparison with a missing value is false, except
`== none` and `!= none`, which ask for just that; of a message that was cut, nobody knows what is missing in
it, so `== none` is false of its groups. There is no `or`: two alternatives are two statements.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from torchwhy.text.lazy_re import lazy_compile

UNITS = {
    "b": 1,
    "byte": 1,
    "bytes": 1,
    "kb": 2**10,
    "mb": 2**20,
    "gb": 2**30,
    "tb": 2**40,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
    "ms": 0.001,
    "s": 1,
    "seconds": 1,
    "%": 0.01,
}
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
CUT = "cut"  # "yes" where the message that the values come from was cut off; else missing
_NAME = r"[A-Za-z_][\w.\-]*"
_COMPARISON = lazy_compile(rf"\s*({_NAME}(?:\s+\+\s+{_NAME})*)\s*(<=|>=|==|!=|<|>)\s*(.+?)\s*\Z")
_ADD = lazy_compile(r"\s+\+\s+")
_OR = lazy_compile(r"\s(?:or|\|\|)\s", re.IGNORECASE)
_QUOTED = lazy_compile(r"'[^']*'|\"[^\"]*\"")
_QUANTITY = lazy_compile(r"([+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)\s*([A-Za-z%]*)\Z", re.IGNORECASE)
_VERSION = lazy_compile(r"v?(\d+(?:\.\d+)+)")


class Comparison(NamedTuple):
    """One comparison of a condition: the names on the left (more than one are added up), the operator, the
    name or literal on the right.
    """

    names: tuple[str, ...]
    symbol: str
    right: str


class ConditionError(ValueError):
    """The text of a `when` is not a comparison that this language knows."""


def quantity(text: str) -> float | None:
    """The number that `text` writes, in base units (bytes, seconds); None where it writes none."""
    found = _QUANTITY.match(text.strip())
    if not found or (found[2] and found[2].lower() not in UNITS):
        return None
    return float(found[1].replace(",", "")) * UNITS.get(found[2].lower(), 1)


def version(text: str) -> tuple[int, ...] | None:
    """The release numbers that `text` starts with ("12.4.1+cu" -> (12, 4, 1)); None where there are none."""
    found = _VERSION.match(text.strip())
    return tuple(int(part) for part in found[1].split(".")) if found else None


def comparisons(text: str, names: Collection[str] | None = None) -> list[Comparison]:
    """Split a condition at its `and`s. `names`: what may stand on the left; None accepts any. Raises
    ConditionError.
    """
    if _OR.search(_QUOTED.sub(" ", text)):
        raise ConditionError(f"{text!r} joins by `or`: write two statements, each with its own condition")
    result = []
    for part in re.split(r"\s+and\s+", text.strip()):
        found = _COMPARISON.match(part)
        if not found:
            raise ConditionError(f"{part!r} is no comparison such as 'idle < tried' or 'shm.total < 1 GiB'")
        left, symbol, right = found.groups()
        added = tuple(_ADD.split(left))
        for name in added:
            if names is not None and name not in names:
                raise ConditionError(f"{name!r} is none of {', '.join(sorted(names)) or 'no names'}")
        result.append(Comparison(added, symbol, right.strip("'\"")))
    return result


def holds(text: str, values: Mapping[str, object], versions: Collection[str] = ()) -> bool:
    """Whether the condition holds for these values; names in `versions` are compared as releases."""
    return all(_compare(comparison, values, versions) for comparison in comparisons(text))


def _compare(comparison: Comparison, values: Mapping[str, object], versions: Collection[str]) -> bool:
    names, symbol, right = comparison
    left_value = values.get(names[0]) if len(names) == 1 else _sum([values.get(name) for name in names])
    if right == "none":
        if (
            left_value is None and CUT in values and symbol == "==" and "." not in names[0]
        ):  # a fact has a dot
            return False
        return symbol in ("==", "!=") and (left_value is None) == (symbol == "==")
    added = _ADD.split(right)
    if len(added) > 1 and all(name in values for name in added):
        right_value: object = _sum([values[name] for name in added])
    else:
        right_value = values.get(right) if right in values else right
    if left_value is None or right_value is None:
        return False
    left_text, right_text = _text(left_value), _text(right_value)
    in_releases = names[0] in versions
    pair = _releases(left_text, right_text) if in_releases else _quantities(left_text, right_text)
    if pair is not None:
        return OPERATORS[symbol](*pair)
    return symbol in ("==", "!=") and OPERATORS[symbol](left_text.lower(), right_text.lower())


def _sum(values: Iterable[object]) -> float | None:
    """The values in base units added up; None where one of them is missing or no number."""
    numbers = [None if value is None else quantity(_text(value)) for value in values]
    return None if any(number is None for number in numbers) else sum(filter(None, numbers))


def _quantities(left: str, right: str) -> tuple[float, float] | None:
    """Both texts as numbers in base units; None where one of them writes no number."""
    numbers = quantity(left), quantity(right)
    return None if numbers[0] is None or numbers[1] is None else (numbers[0], numbers[1])


def _releases(left: str, right: str) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Both texts as releases of equal length ("12" is 12.0); None where one of them writes no release."""
    first, second = version(left + ".0"), version(right + ".0")
    if first is None or second is None:
        return None
    length = max(len(first), len(second))
    return first + (0,) * (length - len(first)), second + (0,) * (length - len(second))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
