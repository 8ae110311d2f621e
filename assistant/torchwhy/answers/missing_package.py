"""A package that the Python which runs the program does not have: which, what that Python is, and which other
environment of this machine has it.
"""

from __future__ import annotations

import os
import shlex
from typing import NamedTuple

from torchwhy.paste.owner import owner_of
from torchwhy.paste.paste import Paste
from torchwhy.paste.place import leading, says_no_module
from torchwhy.text.lazy_re import lazy_compile
from torchwhy.text.phrases import phrase

# Of `import a.b` Python names `a` where that is what is missing.
SAID = lazy_compile(r"No module named ['\"]?([A-Za-z_]\w*)['\"]?\Z")
IMPORT = lazy_compile(r"(?:import|from)\s|.*\b(?:__import__|import_module)\(")


class MissingPackage(NamedTuple):
    """What is known of it; "" where nothing is.

    `python`: the Python that failed; `install`: the command that installs packages into it; `elsewhere`:
    another environment's Python, which has the package; `program`: the script that was run.
    """

    name: str
    python: str = ""
    install: str = ""
    elsewhere: str = ""
    program: str = ""

    def values(self) -> dict[str, str]:
        """What is known, for the templates of an entry (`knowledge.entry.OF_THE_PYTHON`)."""
        known = {"python": shlex.quote(self.python) if self.python else "", "install": self.install}
        known["rerun"] = self.rerun() if self.program else ""
        return {name: value for name, value in known.items() if value}

    def rerun(self) -> str:
        """The command that runs the program where the package is; "" where no environment has it."""
        if not self.elsewhere:
            return ""
        program = self.program
        near = os.path.relpath(program) if os.path.isabs(program) else program
        words = [self.elsewhere, near if len(near) < len(program) else program]
        return " ".join(shlex.quote(word) for word in words if word)

    def words(self, lang: str) -> tuple[str, ...]:
        """What is known, in sentences."""
        said = [phrase("own_no_module", lang, python=shlex.quote(self.python))] if self.python else []
        return (*said, *([phrase("own_elsewhere", lang, command=self.rerun())] if self.elsewhere else []))


def program_of(paste: Paste) -> str:
    """The script whose traceback leads the text; "" where that begins elsewhere."""
    frames = paste.root.frames if paste.root else ()
    begins = frames[0].file if frames else ""
    return begins if begins.endswith(".py") and not owner_of(begins) else ""


def missing_package(paste: Paste) -> str | None:
    """The package that Python itself says it does not have: the message is an import's and nothing else,
    and no library raised it of something else, as torch.load does of a pickled class.
    """
    root = paste.root
    if root is None or not says_no_module(paste):
        return None
    found = SAID.match(root.message.strip())
    frames = [frame for error in leading(paste) for frame in error.frames if frame.code]
    return found[1] if found and (not frames or IMPORT.match(frames[-1].code)) else None
