"""The little language of `when`: `idle < tried`, `shm.total < 1 GiB and container == yes`.

Comparisons joined by `and`. The left side is a name (a group of the pattern, or a fact of the machine); the right
side a name or a literal. Values are parsed with their units, so "8.93 GiB" and "9143 MiB" compare as bytes.
A comparison with a missing value is false, except `== none` and `!= none`, which ask for just that.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

UNITS = {
    "b": 1, "byte": 1, "bytes": 1, "kb": 2**10, "mb": 2**20, "gb": 2**30, "tb": 2**40,
    "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40, "ms": 0.001, "s": 1, "seconds": 1, "%": 0.01,
}  # fmt: skip
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le, ">=": operator.ge, "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_COMPARISON = re.compile(r"\s*([A-Za-z_][\w.\-]*)\s*(<=|>=|==|!=|<|>)\s*(.+?)\s*\Z")
_QUANTITY = re.compile(r"([+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)\s*([A-Za-z%]*)\Z", re.IGNORECASE)
_VERSION = re.compile(r"v?(\d+(?:\.\d+)+)")


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


def parse(text: str, names: Collection[str] | None = None) -> list[tuple[str, str, str]]:
    """Split a condition into (name, operator, right side) triples.

    `names`: the names that may stand on the left; None accepts any. Raises ConditionError.
    """
    triples = []
    for part in re.split(r"\s+and\s+", text.strip()):
        found = _COMPARISON.match(part)
        if not found:
            raise ConditionError(f"{part!r} is no comparison such as 'idle < tried' or 'shm.total < 1 GiB'")
        name, symbol, right = found.groups()
        if names is not None and name not in names:
            raise ConditionError(f"{name!r} is none of {', '.join(sorted(names)) or 'no names'}")
        triples.append((name, symbol, right.strip("'\"")))
    return triples


def holds(text: str, values: Mapping[str, object], versions: Collection[str] = ()) -> bool:
    """Whether the condition holds for these values; names in `versions` are compared as releases."""
    return all(_compare(name, symbol, right, values, versions) for name, symbol, right in parse(text))


def _compare(name: str, symbol: str, right: str, values: Mapping[str, object], versions: Collection[str]) -> bool:
    left_value = values.get(name)
    if right == "none":
        return (left_value is None) == (symbol == "==")
    right_value = values.get(right) if right in values else right
    if left_value is None or right_value is None:
        return False
    left_text, right_text = _text(left_value), _text(right_value)
    left: object
    other: object
    if name in versions:
        left, other = version(left_text + ".0"), version(right_text + ".0")
        if left is not None and other is not None:
            width = max(len(left), len(other))  # type: ignore[arg-type]
            left = left + (0,) * (width - len(left))  # type: ignore[operator, arg-type]
            other = other + (0,) * (width - len(other))  # type: ignore[operator, arg-type]
    else:
        left, other = quantity(left_text), quantity(right_text)
    if left is None or other is None:
        if symbol not in ("==", "!="):
            return False
        left, other = left_text.lower(), right_text.lower()
    return OPERATORS[symbol](left, other)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
