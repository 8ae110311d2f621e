"""Which code of the knowledge may run, and how: what came with torchwhy when asked; what did not, only
shut in and after a yes, or as what came, where you say that you wrote it.

A yes is a file in the data folder, named by the hash of the script and the folder that it lies in: after an
edit, or in another folder, the same script is asked about again. Deleting the file (or all of `trusted/`)
takes the yes back.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from torchwhy.errors import ConfirmError, NotShutInError, UntrustedScriptError
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.files import read_bytes
from torchwhy.knowledge.script_hashes import (
    content_hash,
    file_hash,
    in_shipped_folder,
    refuse_edited,
    shipped_path,
)
from torchwhy.runtime import locations, settings, system
from torchwhy.text.plain import escaped
from torchwhy.text.python_source import read_otherwise

from .sandbox import can_shut_in


@dataclass(frozen=True, slots=True)
class Consent:
    """What the user said yes to.

    `edited`: shipped scripts that were changed; `trust`: scripts that were never shipped, shut in, which is
    remembered; `mine`: what was never shipped, of the user who wrote it, as what was. `shown`: the hash of
    the script that the user was shown; the yes is for no other.
    """

    edited: bool = False
    trust: bool = False
    mine: bool = False
    shown: str | None = None


NO_CONSENT = Consent()


@dataclass(frozen=True, slots=True)
class Permit:
    """That a file may run as long as it has this hash; `shut_in`: by `sandbox.start` alone, never as the
    user.
    """

    sha256: str
    shut_in: bool = False


def permitted(entry: Pitfall, consent: Consent = NO_CONSENT) -> Permit | None:
    """How the entry's script may run now; None where the entry has none.

    Raises ConfirmError for a changed one, UntrustedScriptError for a foreign one without a yes, OSError.
    """
    if entry.repro is None:
        return None
    if not consent.edited:
        refuse_edited(entry)
    elif (edited := in_shipped_folder(entry)) is not None:
        return Permit(file_hash(edited))
    # Read once: all that follows is about this text, whatever is written to the file meanwhile.
    content = read_bytes(Path(entry.repro))
    sha256 = content_hash(content)
    if consent.shown is not None and consent.shown != sha256:
        raise ConfirmError(f"{escaped(entry.repro)} was changed while it was shown, so it was not run")
    shipped = shipped_path(entry)
    if shipped is not None and file_hash(shipped) == sha256:
        return Permit(sha256)
    return foreign(entry.repro, content, consent, script_of=entry.id)


def foreign(path: str, content: bytes, consent: Consent, script_of: str = "") -> Permit:
    """How Python that did not come with torchwhy may run: the one place that decides.

    `script_of`: the id of the entry whose script it is; "" for a file that would run inside torchwhy or the
    user's program (lint.py, guard.py), where nothing can shut it in. Raises UntrustedScriptError.
    """
    sha256, name = content_hash(content), f"{escaped(path)} did not come with torchwhy"
    if consent.mine:
        return Permit(sha256)
    if not script_of:
        raise UntrustedScriptError(f"{name}, and nothing can shut it in; if you wrote it, --mine runs it")
    if not can_shut_in():
        raise NotShutInError(
            f"{name}, and nothing here can shut it in: install bubblewrap (bwrap), set {settings.RUNNER.name}"
            " to a command that runs it in a container, or, if you wrote it, run it with --mine"
        )
    otherwise = read_otherwise(content)
    if otherwise:  # whoever reads it reads something else than Python does
        raise ConfirmError(f"{escaped(path)} is {escaped(otherwise)}, so it was not run")
    if consent.trust:
        with suppress(OSError):  # where nothing can be written the yes counts for this run alone
            remember(path, sha256)
    elif not _is_noted(path, sha256):
        raise UntrustedScriptError(
            f"{name}: read it (`torchwhy repro {escaped(script_of)}`), then say yes with --trust (in Python:"
            " trust=True); it runs shut in"
        )
    return Permit(sha256, shut_in=True)


def is_trusted(entry: Pitfall) -> bool:
    """Whether the entry's script may run without a further yes. Raises OSError where it cannot be read."""
    try:
        permitted(entry)
    except ConfirmError:
        return False
    return True


def _is_noted(script: str, sha256: str) -> bool:
    """Whether the user, and nobody else, said yes to a file of this hash in this folder."""
    try:
        return system.only_ours(_note(script, sha256).lstat())
    except OSError:
        return False


def remember(script: str, sha256: str) -> None:
    """Keep the yes to a file of this hash in this folder. Raises OSError."""
    path = _note(script, sha256)
    locations.make_private(path.parent.parent)
    locations.make_private(path.parent)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(json.dumps({"script": os.path.realpath(script), "sha256": sha256}) + "\n")


def _note(script: str, sha256: str) -> Path:
    folder = os.path.dirname(os.path.realpath(script))
    name = hashlib.sha256(os.fsencode(folder) + b"\0" + sha256.encode("ascii")).hexdigest()
    return locations.data_folder() / "trusted" / f"{name}.json"
