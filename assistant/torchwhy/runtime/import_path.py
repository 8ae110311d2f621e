"""Where the command imports from: nowhere in the current folder, which a stranger may have filled.

It imports nothing but `os` and `sys`, which Python has loaded: it comes before every other import.
"""

import os
import sys


def leave_current_folder() -> None:
    """Take out of `sys.path` what names the current folder and what is relative to it. The environment stays
    as it is, and so does the folder that this package lies in.

    By the text of PYTHONPATH, since Python makes its parts absolute, an empty one as well.
    """
    given = os.environ.get("PYTHONPATH")
    parts = [*(given.split(os.pathsep) if given else ()), *sys.path[:1]]  # the first: of `-m` and `-c`
    own = _place(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
    near = {_place(part) for part in parts if is_near(part)}
    sys.path[:] = [
        entry
        for entry in sys.path
        if _place(entry) == own or (os.path.isabs(entry) and _place(entry) not in near)
    ]


def is_near(part: str) -> bool:
    """Whether a part of PYTHONPATH is relative, or the current folder."""
    return not os.path.isabs(part) or _place(part) == _place(os.curdir)


def own_python(code: str) -> list[str]:
    """The command line of another process of this program, which imports from where this one does."""
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"]


def _place(path: str) -> object:
    """What two names of one folder have in common; of what is not there its absolute name."""
    try:
        found = os.stat(path or os.curdir)
    except OSError:
        return os.path.normpath(path)
    return found.st_dev, found.st_ino
