"""Which changes were applied to a program that then ran: `witness.json` of a knowledge base.

    {"target-dtype-long": {
        "law": {"mutants": 16, "answered": {"target-dtype-long": 16}, "fixed": 14, "hosts": 6, "not fixed": 0,
                "counter-programs": 602},
        "changes": {"3f0c...": {"edit": ["integer_labels.py", "target-dtype-long/digits/1"]}}}}

By entry and by the digest of what the change does (of an edit that is a function, of the entry's `edit.py`):
a change that does another thing since has no witness. `law` stands where the entry has a `faults.py`: an edit
of the user's line is shown only where it holds. `torchwhy kb prove` writes the file; nobody does by hand.
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
LEAST = {"fixed": 5, "hosts": 3, "counter-programs": 2}  # what an edit needs to be shown


def digest_of_change(change: ChangeTemplate, folder: str) -> str:
    """The digest of what a change does and when: its words are not applied, and have no part in it.

    `folder`: of the entry, in which the functions lie that its edits name.
    """
    does = _used(as_data(change._replace(applied=(), proved=0, says=None, do=None, other=None)))
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


def law_holds(law: Mapping[str, Any]) -> bool:
    """Whether an entry's edits fixed enough mutants of enough hosts, and other mistakes showed none of them.

    An edit that left a mutant broken counts for nothing here: it has lost its own witnesses.
    """
    return all(isinstance(law.get(name), int) and law[name] >= least for name, least in LEAST.items())


def with_witnesses(entry: Pitfall, known: Any) -> Pitfall:
    """The entry whose changes say in which forms they were applied; `known`: its part of the file."""
    known = _mapping(known)
    changes, law = _mapping(known.get("changes")), _mapping(known.get("law"))
    if not changes:
        return entry
    stands = not law or law_holds(law)

    def seen(change: ChangeTemplate) -> ChangeTemplate:
        forms = _mapping(changes.get(digest_of_change(change, entry.folder)))
        shown = (*FORMS, REFUTED_CODE) if stands else ("code", REFUTED_CODE)
        applied = tuple(form for form in shown if form in forms)
        proved = len(forms["edit"]) if law and "edit" in applied else 0
        return change._replace(applied=applied, proved=proved)

    signatures = tuple(
        each._replace(change=tuple(map(seen, each.change))) if each.change else each
        for each in entry.signatures
    )
    return entry._replace(signatures=signatures, change=tuple(map(seen, entry.change)))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
