"""Writing the evidence of a run over the whole knowledge base."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from torchwhy.knowledge.evidence import (
    GOOD,
    INDEX,
    SCHEMA,
    cached_index,
    files,
    release_key,
)
from torchwhy.runtime import locations
from torchwhy.runtime.json_types import JSONObject
from torchwhy.runtime.plain_files import replace_private


def write_json(path: Path, data: Mapping[str, object]) -> None:
    """Write a JSON file, whole or not at all; in the user's own data folder for the user alone.

    Raises OSError.
    """
    own = path.absolute().is_relative_to(locations.data_folder().absolute())
    if own:
        locations.make_private(locations.data_folder())
        locations.make_private(path.parent)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_private(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n", 0o600 if own else 0o644)


def index_of(folder: Path) -> JSONObject:
    """The index of a folder's evidence: of each entry the newest good verdict (of one day: the
    newest torch).
    """
    best: dict[str, tuple[tuple[str, tuple[int, ...]], list[str | None]]] = {}
    for _, data in files(folder):
        for id, row in data["entries"].items():
            if row["verdict"] in GOOD:
                key = (row["date"], release_key(data["torch"]))
                if id not in best or key >= best[id][0]:
                    best[id] = (key, [data["device"], data["torch"], row["date"], row["sha256"]])
    return {"schema": SCHEMA, "entries": {id: best[id][1] for id in sorted(best)}}


def write_index(folder: Path) -> None:
    """Bring a folder's index in step with its files. Raises OSError."""
    write_json(folder / INDEX, index_of(folder))
    cached_index.cache_clear()
