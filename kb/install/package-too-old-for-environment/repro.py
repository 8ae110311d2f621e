"""A package as it was written for Python 3.10 is imported by a newer one: its dataclass has an object as default, and importing ends there.
The package's next release, with default_factory, imports."""

import importlib
import sys
import tempfile
from pathlib import Path

PACKAGE = """
from dataclasses import dataclass, field

@dataclass
class CommonConfig:
    seed: int = 1

@dataclass
class Config:
    common: CommonConfig = DEFAULT
"""


def use(default):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sequences.py").write_text(PACKAGE.replace("DEFAULT", default))
        sys.path.insert(0, folder)
        print(importlib.import_module("sequences").Config())


def broken():
    use("CommonConfig()")


def fixed():
    use("field(default_factory=CommonConfig)")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
