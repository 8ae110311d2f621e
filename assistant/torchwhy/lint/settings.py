"""`[tool.torchwhy]` of a project's pyproject.toml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from torchwhy.errors import UsageError
from torchwhy.runtime.plain_files import open_plain
from torchwhy.text.plain import escaped

MAX_FILE_BYTES = 1 << 20
MAX_PATTERNS = 500  # each is compared with the name of each file and folder
MAX_DOTS = 1000  # of a line: the parser takes the square of the time for the parts of a key
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
        with open_plain(path) as file:
            raw = file.read(MAX_FILE_BYTES + 1)
        if len(raw) > MAX_FILE_BYTES or any(line.count(b".") > MAX_DOTS for line in raw.split(b"\n")):
            raise UsageError(f"{escaped(str(path))}: longer than any project's file, so it is not read")
        tool = tomllib.loads(raw.decode("utf-8")).get("tool", {})
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{escaped(str(path))}: {escaped(str(error))}") from error
    table = tool.get("torchwhy", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise UsageError(f"{escaped(str(path))}: [tool.torchwhy]: wanted a table")
    for key, value in table.items():
        kind = KEYS.get(key)
        strings = not isinstance(value, list) or all(isinstance(each, str) for each in value)
        if kind is None or not isinstance(value, kind) or not strings:
            wanted = "exclude and ignore (lists of text), strict (true or false)"
            raise UsageError(f"{escaped(str(path))}: [tool.torchwhy] {escaped(key)}: wanted {wanted}")
    if len(table.get("exclude", ())) > MAX_PATTERNS:
        raise UsageError(f"{escaped(str(path))}: [tool.torchwhy] exclude: more than {MAX_PATTERNS} patterns")
    ignore = frozenset(table.get("ignore", ()))
    return Settings(tuple(table.get("exclude", ())), ignore, table.get("strict", False))
