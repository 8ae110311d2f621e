"""Which scripts may run: those that came with torchwhy, and those that the user said yes to.

A yes is a file in the data folder, named by the hash of the script and the folder that it lies in: after an
edit, or in another folder, the same script is asked about again. Deleting the file (or all of `trusted/`)
takes the yes back.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import ConfirmError, UntrustedScriptError
from assistant.knowledge.entry import Pitfall
from assistant.knowledge.files import read_bytes
from assistant.knowledge.script_hashes import (
    content_hash,
    file_hash,
    in_shipped_folder,
    is_shipped,
    refuse_edited,
    shipped_path,
)
from assistant.runtime import locations, system
from assistant.text.plain import escaped
from assistant.text.python_source import read_otherwise

MAX_NOTE_BYTES = 64 << 10
READ_NOTE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True)
class Consent:
    """What the user said yes to.

    `edited`: shipped scripts that were changed; `trust`: those that were never shipped, which is remembered.
    `shown`: the hash of the script that the user was shown; the yes is for no other.
    """

    edited: bool = False
    trust: bool = False
    shown: str | None = None


NO_CONSENT = Consent()


def checked_hash(entry: Pitfall, consent: Consent) -> str | None:
    """The hash of the script that may run now; None where the entry has none.

    Raises ConfirmError for a changed one, UntrustedScriptError for a foreign one without a yes, OSError.
    """
    if entry.repro is None:
        return None
    if not consent.edited:
        refuse_edited(entry)
    elif (edited := in_shipped_folder(entry)) is not None:
        return file_hash(edited)
    # Read once: all that follows is about this text, whatever is written to the file meanwhile.
    content = read_bytes(Path(entry.repro))
    sha256 = content_hash(content)
    if consent.shown is not None and consent.shown != sha256:
        raise ConfirmError(f"{escaped(entry.repro)} was changed while it was shown, so it was not run")
    shipped = shipped_path(entry)
    if shipped is not None and file_hash(shipped) == sha256:
        return sha256
    _refuse_other_encoding(entry.repro, content)
    if consent.trust:
        with suppress(OSError):  # where nothing can be written the yes counts for this run alone
            remember(entry, sha256)
    elif not _is_noted(entry.repro, sha256):
        raise UntrustedScriptError(
            f"{escaped(entry.repro)} did not come with torchwhy, and it would run as you: read it"
            f" (`torchwhy repro {escaped(entry.id)}`), then say yes with --trust (in Python: trust=True)"
        )
    return sha256


def _refuse_other_encoding(script: str, content: bytes) -> None:
    """Raises ConfirmError for a script that Python reads otherwise than whoever read it."""
    otherwise = read_otherwise(content)
    if otherwise:
        raise ConfirmError(f"{escaped(script)} is {escaped(otherwise)}, so it was not run")


def is_trusted(entry: Pitfall) -> bool:
    """Whether the entry's script needs no further yes. Raises OSError where it cannot be read."""
    if entry.repro is None or is_shipped(entry):
        return True
    return trusted_hash(entry.repro) is not None


def trusted_hash(path: str) -> str | None:
    """The hash of a file where the user said yes to it as it is, where it lies; None without a yes. What
    runs is to be compared with it: the file may be changed meanwhile. Raises OSError.
    """
    sha256 = file_hash(path)
    return sha256 if _is_noted(path, sha256) else None


def _is_noted(script: str, sha256: str) -> bool:
    """Whether the user said yes to a file of this hash where it lies. A yes that another user may have put
    there is none, nor one that was given to another script and got this one's name.
    """
    path = _note(script, sha256)
    try:
        with os.fdopen(os.open(path, READ_NOTE), "rb") as file:
            if not system.only_ours(os.fstat(file.fileno())):
                return False
            kept = json.loads(file.read(MAX_NOTE_BYTES))
        said = (os.path.dirname(kept["script"]), kept["sha256"])
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return False
    return said == (os.path.dirname(os.path.realpath(script)), sha256)


def remember(entry: Pitfall, sha256: str) -> None:
    """Keep the yes to this script in this folder. Raises OSError."""
    assert entry.repro is not None
    remember_file(entry.repro, sha256)


def remember_file(script: str, sha256: str | None = None) -> None:
    """Keep the yes to a file in this folder. Raises OSError."""
    sha256 = sha256 or file_hash(script)
    path = _note(script, sha256)
    locations.make_private(path.parent.parent)
    locations.make_private(path.parent)
    if _is_noted(script, sha256):
        return
    number, beside = tempfile.mkstemp(prefix="new-", dir=path.parent)  # for the user alone
    try:
        with os.fdopen(number, "w", encoding="ascii") as file:
            file.write(json.dumps({"script": os.path.realpath(script), "sha256": sha256}) + "\n")
        os.replace(beside, path)
    except OSError:
        with suppress(OSError):
            os.unlink(beside)
        raise


def _note(script: str, sha256: str) -> Path:
    folder = os.path.dirname(os.path.realpath(script))
    name = hashlib.sha256(os.fsencode(folder) + b"\0" + sha256.encode("ascii")).hexdigest()
    return locations.data_folder() / "trusted" / f"{name}.json"
