"""Which changes were applied to a program that then ran: `witness.json` of a knowledge base.

    {"matmul-shape-mismatch": {"3f0c...": {"edit": ["linear_width.py"]}}}

By entry and by the digest of what the change does (of an edit that is a function, of the entry's `edit.py`):
a change that does another thing since has no witness.
`torchwhy kb prove` writes it; nobody does by hand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .entry import FORMS, REFUTED_CODE, ChangeTemplate, Pitfall, as_data
from .files import EDIT_FILE, WITNESS_FILE, read_text
from .script_hashes import file_hash

DIGEST_CHARS = 16


def digest_of_change(change: ChangeTemplate, folder: str) -> str:
    """The digest of what a change does and when: its words are not applied, and have no part in it.

    `folder`: of the entry, in which the functions lie that its edits name.
    """
    does = _used(as_data(change._replace(applied=(), says=None, do=None, other=None)))
    if any(edit.function for edit in change.edits):
        with suppress(OSError):  # without them it does nothing
            does[EDIT_FILE] = file_hash(Path(folder, EDIT_FILE))
    text = json.dumps(does, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_CHARS]


def _used(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _used(each) for key, each in value.items() if each not in (None, (), False)}
    return [_used(each) for each in value] if isinstance(value, tuple) else value


def read_witness(root: Path) -> dict[str, Any]:
    """The witnesses of a knowledge base by entry; none where the file is missing or cannot be read, since
    a change without a witness only stands on the screen as the usual fix.
    """
    try:
        data = json.loads(read_text(root / WITNESS_FILE))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def with_witnesses(entry: Pitfall, known: Any) -> Pitfall:
    """The entry whose changes say in which forms they were applied; `known`: its part of the file."""
    if not isinstance(known, Mapping) or not known:
        return entry

    def seen(change: ChangeTemplate) -> ChangeTemplate:
        found = known.get(digest_of_change(change, entry.folder))
        forms = found if isinstance(found, Mapping) else {}
        return change._replace(applied=tuple(form for form in (*FORMS, REFUTED_CODE) if form in forms))

    signatures = tuple(
        each._replace(change=tuple(map(seen, each.change))) if each.change else each
        for each in entry.signatures
    )
    return entry._replace(signatures=signatures, change=tuple(map(seen, entry.change)))
