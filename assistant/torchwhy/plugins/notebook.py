"""IPython and Jupyter: `%load_ext torchwhy`, then `%why` after a cell that failed."""

from __future__ import annotations

import sys
from typing import Any


def load_ipython_extension(shell: Any) -> None:
    """Add `%why` to a shell of IPython."""
    shell.register_magic_function(why, magic_kind="line", magic_name="why")


def unload_ipython_extension(shell: Any) -> None:
    """Take `%why` out again."""
    shell.magics_manager.magics["line"].pop("why", None)


def answer_cells(shell: Any, lang: str | None) -> None:
    """Answer below the traceback of each cell that fails, without being asked."""
    from .exception import explain

    def told(
        shell: Any, kind: type, error: BaseException, trace: object, tb_offset: int | None = None
    ) -> None:
        from IPython import display

        show: Any = display.display
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
        show(explain(error, lang=lang))

    shell.set_custom_exc((Exception,), told)


def why(line: str = "") -> object:
    """Why the last cell failed: the place, the operands, the cause, the fix. `%why zh` answers in Chinese."""
    from .exception import explain

    error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    if error is None:
        print("no cell has failed yet")
        return None
    return explain(error, lang=line.strip() if line.strip() in ("en", "zh") else None)
