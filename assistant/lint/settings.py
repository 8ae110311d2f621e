"""`[tool.torchwhy]` of a project's pyproject.toml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assistant.errors import UsageError
from assistant.text.plain import escaped

KEYS = {"exclude": list, "ignore": list, "strict": bool}


@dataclass(frozen=True, slots=True)
class Settings:
    """`exclude`: patterns of paths from the current folder; `ignore`: ids; `strict`: looks too."""

    exclude: tuple[str, ...] = ()
    ignore: frozenset[str] = frozenset()
    strict: bool = False


def read_settings(start: Path) -> Settings:
    """The table of the nearest pyproject.toml, from this folder upwards. Raises UsageError."""
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            return _of_file(path)
    return Settings()


def _of_file(path: Path) -> Settings:
    try:
        import tomllib  # type: ignore[import-not-found]
    except ImportError:  # Python 3.10 has none: the table is not read there
        return Settings()
    try:
        table = tomllib.loads(path.read_text("utf-8")).get("tool", {}).get("torchwhy", {})
    except (OSError, ValueError) as error:
        raise UsageError(f"{escaped(str(path))}: {escaped(str(error))}") from error
    for key, value in table.items():
        kind = KEYS.get(key)
        strings = not isinstance(value, list) or all(isinstance(each, str) for each in value)
        if kind is None or not isinstance(value, kind) or not strings:
            wanted = "exclude and ignore (lists of text), strict (true or false)"
            raise UsageError(f"{escaped(str(path))}: [tool.torchwhy] {escaped(key)}: wanted {wanted}")
    ignore = frozenset(table.get("ignore", ()))
    return Settings(tuple(table.get("exclude", ())), ignore, table.get("strict", False))
