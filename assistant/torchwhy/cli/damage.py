"""Which installed files are not as the wheel brought them: asked where something unexpected was raised."""

from __future__ import annotations

import base64
import hashlib
import os

from torchwhy.runtime import locations
from torchwhy.runtime.install import install_line
from torchwhy.text.plain import escaped

DISTRIBUTION = "torchwhy"
REWRITTEN = "meta.json"  # by torchwhy itself, with the times of the files beside it


def damage_line(error: BaseException) -> str | None:
    """The line for an error of an installation with damaged files; None where they are whole, or where
    nothing tells (a checkout).
    """
    found = damaged_files()
    if not found:
        return None
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    said = escaped(" ".join(f"{type(error).__name__}: {error}".split())[:200])
    return f"{said}; {escaped(found[0])}{more} of the installation is damaged: {install_line(again=True)}"


def damaged_files() -> list[str]:
    """The files that RECORD names with another hash, or that are gone."""
    from importlib.metadata import distributions

    if locations.is_checkout():
        return []
    site = locations.PACKAGE.parent
    found = []
    try:
        for distribution in distributions(name=DISTRIBUTION, path=[str(site)]):
            for file in distribution.files or ():
                if file.hash is None or file.parts[0] == ".." or file.name == REWRITTEN:
                    continue
                if not _is_whole(site / file, file.hash):
                    found.append(str(file))
    except Exception:  # a damaged RECORD: what was raised is told as it is
        return []
    return found


def _is_whole(path: os.PathLike[str], recorded: object) -> bool:
    try:
        with open(path, "rb") as file:
            digest = hashlib.new(str(getattr(recorded, "mode", "")), file.read()).digest()
    except OSError:
        return False
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == getattr(recorded, "value", "")
