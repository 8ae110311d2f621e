"""Loaded by the start of every Python program below `torchwhy run`, whose folder stands first in PYTHONPATH.
It is alone there: no import of the program's finds another file of torchwhy's.

It takes that folder out of `sys.path`, runs `hooks.py` from the folder above, and gives way to the
sitecustomize that Python would have loaded without it. Written so that even Python 2 can read it.
"""

import os
import sys


def arrange():
    if sys.version_info < (3, 8) or not os.environ.get("TORCHWHY_RUN_FOLDER"):
        return
    path = os.path.join(os.path.dirname(HERE), "hooks.py")
    files = sys.modules["_frozen_importlib_external"]
    code = files.SourceFileLoader("torchwhy_hooks", path).get_code("torchwhy_hooks")
    # A file that is no file of the program's: coverage would count its lines.
    sys.modules["_imp"]._fix_co_filename(code, "<frozen importlib._bootstrap: torchwhy hooks>")
    hooks = type(sys)("torchwhy_hooks")
    hooks.__file__ = path
    exec(code, hooks.__dict__)
    hooks.start()


if __name__ == "sitecustomize":
    HERE = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if entry != HERE]
    try:
        arrange()
    except Exception:  # nothing here may change what the program does or prints
        pass
    del sys.modules["sitecustomize"]
    # The user's own. Where there is none, `site` passes over that error, as without this file.
    import sitecustomize  # type: ignore[import-not-found]  # noqa: F401
