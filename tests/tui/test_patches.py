"""Private parts of other libraries: each one that is patched is still what it was, and its library has an upper bound."""

from __future__ import annotations

import importlib
import inspect
import operator
import subprocess
import sys

import pytest
from packaging.requirements import Requirement

from tests.conftest import ROOT
from tests.support.fixture_kb import FIXTURES

PATCHES = [
    line.split(" | ")
    for line in (FIXTURES / "patches.txt").read_text("utf-8").split("\n\n", 1)[1].splitlines()
]


def looked_up(path: str) -> object:
    """What a dotted path names: a module, or something in one."""
    parts = path.split(".")
    for at in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:at]))
        except ModuleNotFoundError:
            continue
        return operator.attrgetter(".".join(parts[at:]))(module) if parts[at:] else module
    raise AssertionError(f"nothing is called {path}")


def test_each_patched_part_is_as_expected() -> None:
    """In a process of its own: here, another test may have replaced one already."""
    code = (
        "import importlib, inspect, operator, sys\nfor each in sys.argv[1:]:\n    module, name = each.split()\n"
        "    print(inspect.signature(operator.attrgetter(name)(importlib.import_module(module))))"
    )
    names = [f"{module} {attribute}" for module, attribute, *_ in PATCHES]
    done = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [signature for _, _, signature, *_ in PATCHES]
    assert all(looked_up(where) and why for *_, where, why in PATCHES)


def test_every_patched_library_has_an_upper_bound() -> None:
    try:
        import tomllib
    except ImportError:  # Python 3.10
        tomllib = pytest.importorskip("tomli")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [
        *project["dependencies"],
        *(line for extra in project["optional-dependencies"].values() for line in extra),
    ]
    for name in {"textual-serve", *(module.partition(".")[0] for module, *_ in PATCHES)}:
        bounds = [Requirement(line).specifier for line in lines if Requirement(line).name == name]
        assert bounds
        for specifier in bounds:
            assert any(part.operator in ("<", "<=", "==", "~=") for part in specifier), name


def test_a_patch_that_is_gone_is_noticed() -> None:
    with pytest.raises(AttributeError):
        looked_up("rich._wrap.no_such_function")
    assert inspect.ismodule(looked_up("rich._wrap"))
