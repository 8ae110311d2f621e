"""The Python beside entries of the user's own knowledge (lint.py, guard.py): which of it may run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from torchwhy.cli.output import tell
from torchwhy.errors import UntrustedScriptError
from torchwhy.text.plain import escaped


def allowed(files: Iterable[Path], mine: bool, say: Callable[[object], None] = tell) -> dict[Path, str]:
    """Those of these files that may run, each with the hash of what may; `say` hears of the others in a
    line.
    """
    from torchwhy.knowledge.files import read_bytes
    from torchwhy.proof.trust import Consent, foreign

    kept: dict[Path, str] = {}
    refused: list[UntrustedScriptError] = []
    for path in files:
        try:
            kept[path] = foreign(str(path), read_bytes(path), Consent(mine=mine)).sha256
        except UntrustedScriptError as error:
            refused.append(error)
        except OSError as error:  # a pipe, a file of somebody else: the others stand
            say(f"{path.name} is left out: {escaped(str(path))}: {escaped(str(error))}")
    if refused:
        more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
        say(f"not run: {refused[0]}{more}")
    return kept
