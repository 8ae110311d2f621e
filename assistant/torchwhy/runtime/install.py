"""The line that installs torchwhy, or an extra of it, into the environment that it runs in. It says `.`, a
checkout's folder: no package index has torchwhy, and a stranger could take its name there.
"""

from __future__ import annotations

import shlex
import sys


def install_line(extra: str = "", *, again: bool = False) -> str:
    """What to run in a checkout; `again`: over what is installed, whose files are damaged."""
    python = shlex.quote(sys.executable)
    pip = f"{python} -m pip install" if _has_pip() else f"uv pip install --python {python}"
    over = " --force-reinstall --no-deps" if again else ""
    what = f"'.[{extra}]'" if extra else "."
    return f"{pip}{over} {what}  # in torchwhy's checkout"


def _has_pip() -> bool:
    # Asked of its metadata: to look for the module makes setuptools' hook meddle with distutils.
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        distribution("pip")
    except PackageNotFoundError:
        return False
    return True
