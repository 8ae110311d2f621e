"""The rows of an entry: what its messages share in form but not in meaning, `rows.json` beside it.

The group `row` of a pattern is looked up there; the columns of the row that it names become values of the
message, so that one entry can say something else of each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from .entry import ROW, ROW_ID
from .files import ROWS_FILE, read_text

COLUMNS = (ROW_ID, "kind", "remedy", "setting", "said")


@lru_cache(maxsize=4)
def read_rows(folder: str) -> Mapping[str, Mapping[str, str]]:
    """The rows of the entry in this folder by what names them, its id and its kinds; {} where it has none.

    Raises ValueError for a file that holds no rows.
    """
    try:
        rows: Any = json.loads(read_text(Path(folder, ROWS_FILE)))
    except FileNotFoundError:
        return {}
    if not isinstance(rows, list) or any(len(row) != len(COLUMNS) or not row[1] for row in rows):
        raise ValueError(f"{ROWS_FILE}: a list of rows, each [id, [kind, ...], remedy, ...], is wanted")
    found: dict[str, Mapping[str, str]] = {}
    for id, kinds, *others in rows:
        row = {name: value for name, value in zip(COLUMNS, (id, kinds[0], *others), strict=True) if value}
        found |= {name.casefold(): row for name in (id, *kinds)}
    return found


def values_of(folder: str, groups: Mapping[str, str]) -> dict[str, str]:
    """The groups of a match, with the columns of the row that they name, where they name one."""
    if ROW not in groups:
        return dict(groups)
    name = " ".join(groups[ROW].split()).casefold()
    try:
        return {**groups, **read_rows(folder).get(name, {})}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):  # one that somebody is writing
        return dict(groups)
