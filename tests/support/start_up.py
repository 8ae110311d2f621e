"""What is imported by a piece of code: start-up is a feature."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import NamedTuple

from tests.conftest import ROOT

HEAVY = (
    "torch",
    "sentence_transformers",
    "transformers",
    "faiss",
    "onnxruntime",
    "onnx",
    "textual",
    "rich",
    "numpy",
    "yaml",
)
SETTLED = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."


COUNTING = """
import re, sys
compile, callers = re.compile, []
def counted(*args):
    caller = sys._getframe(1)
    callers.append((caller.f_globals["__name__"].partition(".")[0], caller.f_code.co_name))
    return compile(*args)
re.compile = counted
"""
COUNTED = """
import json
of_ours = [name for package, name in callers if package == "torchwhy"]
own = sum(name.partition(".")[0] == "torchwhy" for name in sys.modules)
print("\\n" + json.dumps([own, len(of_ours), of_ours.count("<module>")]))
"""


class Counts(NamedTuple):
    """What a piece of code makes Python load of torchwhy: modules, and calls of `re.compile`."""

    own_modules: int
    patterns: int
    patterns_at_import: int


def counts_after(code: str) -> Counts:
    return Counts(*json.loads(_last_line(f"{COUNTING}\n{code}\n{COUNTED}")))


def modules_after(code: str) -> set[str]:
    names = "' '.join(sorted(sys.modules))"
    return set(_last_line(f"{code}\nimport sys\nprint('\\n' + {names})").split())


def _last_line(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    return done.stdout.strip().splitlines()[-1]
