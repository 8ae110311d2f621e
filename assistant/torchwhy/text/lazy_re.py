"""A regular expression that is compiled when it is first used: most of them never are in one question."""

from __future__ import annotations

import re
from typing import Any, cast


class LazyPattern:
    """Stands for a compiled pattern: each attribute is the pattern's own."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """Comes here once for each attribute of the pattern, which is then an attribute of this object."""
        value = getattr(re.compile(*self._source), name)
        setattr(self, name, value)
        return value


def lazy_compile(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, for a constant of a module; a wrong pattern is an error when it is first used."""
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))


def patterns_of(module: object) -> dict[str, re.Pattern[str]]:
    """The patterns among a module's names, compiled or not."""
    return {
        name: cast("re.Pattern[str]", value)
        for name, value in vars(module).items()
        if isinstance(value, (re.Pattern, LazyPattern))
    }
