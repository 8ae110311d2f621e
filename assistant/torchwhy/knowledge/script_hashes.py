"""Is a shipped script still what was shipped?

A wheel's RECORD holds the SHA-256 of every file that was installed; `torchwhy confirm` runs a shipped script
that differs from it only with `--edited`, since a verdict is of use to others only if it is known what ran.
This is no defence against somebody who can write to the installation: they could change RECORD as well.

Some have nothing to differ from: a checkout or an editable install (git says what changed there), an
installation whose packager left RECORD out. What lies elsewhere, or is not in RECORD, is not shipped: it runs
only after the user's yes (`torchwhy.proof.trust`).
"""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from pathlib import Path

from torchwhy.errors import ConfirmError
from torchwhy.runtime import locations
from torchwhy.text.plain import escaped

from .entry import Pitfall
from .files import read_bytes

DISTRIBUTION = "torchwhy"
RECORDED_BY = frozenset(("sha256", "sha384", "sha512"))  # a wheel's RECORD knows none that is weaker


def file_hash(path: str | Path) -> str:
    """SHA-256 of a script, line ends made alike (git on Windows changes them). Raises OSError."""
    return content_hash(read_bytes(Path(path)))


def content_hash(script: bytes) -> str:
    return hashlib.sha256(script.replace(b"\r\n", b"\n")).hexdigest()


@lru_cache(maxsize=4)
def recorded_hashes(site: Path) -> dict[Path, str]:
    """{installed script: "algorithm=digest"} from the RECORD of the torchwhy that lies in `site`; {} without
    one. Of a RECORD that cannot be read, the folder alone: then no script counts as shipped.
    """
    import csv
    from importlib.metadata import distributions

    hashes: dict[Path, str] = {}
    try:
        for distribution in distributions(name=DISTRIBUTION, path=[str(site)]):
            for file in distribution.files or ():
                if file.name == "repro.py" and file.hash is not None:
                    hashes[site / file] = f"{file.hash.mode}={file.hash.value}"
    except (OSError, ValueError, TypeError, csv.Error):  # rows or bytes that nobody wrote
        return {site: ""}
    return hashes


def is_edited(entry: Pitfall) -> bool:
    """Whether the script of an entry that a wheel installed differs from what the wheel brought. Raises
    OSError.
    """
    if entry.repro is None or locations.is_checkout():
        return False
    script = Path(entry.repro).resolve()  # a link to it is no other script
    recorded = recorded_hashes(locations.PACKAGE.parent).get(script)
    if recorded is None:
        return False
    algorithm, _, digest = recorded.partition("=")
    if algorithm not in RECORDED_BY:
        return True
    present = hashlib.new(algorithm, read_bytes(script)).digest()
    return base64.urlsafe_b64encode(present).rstrip(b"=").decode() != digest


def shipped_path(entry: Pitfall) -> Path | None:
    """Where the script that came with torchwhy, as it came, really lies; None for another one. A link to it
    may be exchanged afterwards, so what runs is to be compared with what lies there. Raises OSError.
    """
    script = in_shipped_folder(entry)
    if script is None or locations.is_checkout():
        return script
    recorded = recorded_hashes(locations.PACKAGE.parent)
    return script if not recorded or (script in recorded and not is_edited(entry)) else None


def in_shipped_folder(entry: Pitfall) -> Path | None:
    """Where the script really lies, if that is in the folder of the shipped knowledge."""
    if entry.repro is None:
        return None
    script = Path(entry.repro).resolve()
    return script if script.is_relative_to(locations.shipped("kb").resolve()) else None


def refuse_edited(entry: Pitfall) -> None:
    """Raises ConfirmError where a shipped script was changed."""
    if is_edited(entry):
        raise ConfirmError(
            f"{escaped(entry.repro or '')} is not the script that was shipped; "
            "read it, then run it with --edited"
        )
