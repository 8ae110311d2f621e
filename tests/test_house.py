"""Lint, types, the floors, and the habits that no linter knows."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

import torchwhy

from .conftest import ROOT

PACKAGE = ROOT / "assistant" / "torchwhy"
MODULES = sorted(PACKAGE.rglob("*.py"))
MAX_TOP_MODULES = 8
MAX_FLOORS = 8
MAX_FUNCTION_LINES = 60
# The folders of tests/ that stand for no package.
APART = {"hosts", "watch", "support", "tools", "bench", "fuzz", "fixtures", "snapshots", "docs"}
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as run; run(['--no-logo', '--no-cache'])"


def dotted(path: Path) -> str:
    """The module's name."""
    root = ROOT / "assistant" if path.is_relative_to(PACKAGE) else ROOT
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def package_of(module: str) -> str:
    """The package or module that a module belongs to."""
    return ".".join(module.split(".")[:2])


@lru_cache(maxsize=1)
def imports() -> dict[str, set[str]]:
    """What each module imports of this package, lazily and for types as well."""
    graph = grimp.build_graph("torchwhy", exclude_type_checking_imports=False, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in sorted(graph.modules)}


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The first circle of a graph; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def package_imports() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for module, imported in imports().items():
        own = package_of(module)
        found.setdefault(own, set()).update({package_of(other) for other in imported} - {own})
    return found


# What tools check


# as slow as it is, it is due where a file of these has changed
@pytest.mark.script("assistant/**/*.py", "docs/**/*.py", "kb/**/*.py", "tests/**/*.py", "pyproject.toml")
@pytest.mark.parametrize(
    "command",
    [
        ["-m", "ruff", "check", "."],
        ["-m", "ruff", "format", "--check", "assistant", "docs", "tests"],
        ["-m", "mypy"],
        ["-c", LINT_IMPORTS],
    ],
    ids=["ruff", "format", "mypy", "floors"],
)
def test_lint_format_types_and_floors(command: list[str]) -> None:
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# The house


def test_the_house_has_few_floors() -> None:
    """The longest chain of packages, each of which imports the next. `torchwhy` itself only hands names on."""
    graph = {name: others for name, others in package_imports().items() if name != "torchwhy"}
    assert not circle(graph), "floors can be counted only where there is no circle"
    heights: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        heights[name] = 1 + max((heights[other] for other in graph.get(name, ())), default=0)
    assert max(heights.values()) <= MAX_FLOORS, heights


def test_few_modules_lie_at_the_top() -> None:
    top = [path.name for path in PACKAGE.glob("*.py")]
    assert len(top) <= MAX_TOP_MODULES, top


def test_the_packages_name_is_imported_by_nobody_inside() -> None:
    """`from torchwhy import ...` brings the whole package in, and a circle with it."""
    assert [module for module, others in imports().items() if "torchwhy" in others] == []


def private_uses(path: Path) -> Iterator[str]:
    """`_names` of this package's other packages: imported, or read from an imported module or class."""
    own = package_of(dotted(path))
    tree = parsed(path)
    foreign: set[str] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.ImportFrom)
            and node.level == 0
            and (node.module or "").startswith("torchwhy.")
        ):
            if package_of(node.module or "") == own:
                continue
            for alias in node.names:
                foreign.add(alias.asname or alias.name)
                if alias.name.startswith("_") and not alias.name.startswith("__"):
                    yield f"{node.lineno}: {alias.name}"
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in foreign
            and node.attr.startswith("_")
            and not node.attr.startswith("__")
        ):
            yield f"{node.lineno}: {node.value.id}.{node.attr}"


def test_no_private_name_leaves_its_package() -> None:
    uses = [f"{path.relative_to(ROOT)}:{use}" for path in MODULES for use in private_uses(path)]
    assert not uses, "\n".join(uses)


def test_functions_are_short_or_say_why_not() -> None:
    long: dict[str, int] = {}
    for path in MODULES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > MAX_FUNCTION_LINES:
                    long[f"{dotted(path)}.{node.name}"] = lines
    assert not long, f"over {MAX_FUNCTION_LINES} lines"


def test_a_name_of_a_class_means_one_thing() -> None:
    places: dict[str, list[str]] = {}
    for path in MODULES:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(dotted(path))
    assert not {name: where for name, where in places.items() if len(where) > 1}


# The package's face


def test_all_is_what_is_public() -> None:
    """Every name is imported when it is asked for, from where the type checker is told it is."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
    told = {
        name.asname or name.name: f"{node.module}.{name.name}"
        for block in tree.body
        if isinstance(block, ast.If)
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    found = {name: f"torchwhy.{module}.{name}" for name, module in torchwhy._MODULE_OF.items()}
    assert told == found
    assert set(torchwhy.__all__) == {name for name in found if not name.startswith("_")}
    assert torchwhy.__all__ == sorted(torchwhy.__all__)
    assert set(torchwhy.__all__) <= set(dir(torchwhy))
    assert all(getattr(torchwhy, name) is not None for name in found)
    with pytest.raises(AttributeError, match="no attribute 'anything'"):
        torchwhy.anything  # noqa: B018


def test_init_defines_what_imports_late_and_nothing_else() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
    defined = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    assert defined == ["__getattr__", "__dir__"]


# Tests, tools, data, dependencies


def test_tests_mirror_the_packages() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/*.py")}
    assert folders <= packages | APART, folders - packages - APART


def test_no_test_imports_from_another_test() -> None:
    borrowed = re.compile(r"^\s*from (?:tests)?\.[\w.]*\btest_\w+ import", re.MULTILINE)
    borrowers = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if borrowed.search(path.read_text("utf-8"))
    ]
    assert not borrowers, f"what several tests use belongs into tests/support: {borrowers}"


@pytest.mark.parametrize(
    "path",
    sorted(path for folder in ("tools", "bench") for path in (ROOT / "tests" / folder).glob("[!_]*.py")),
    ids=lambda path: path.stem,
)
def test_tools_can_be_imported(path: Path) -> None:
    """Nobody runs them for months; at least what they import has to be there."""
    assert importlib.import_module(dotted(path)).__doc__


def test_nothing_reads_the_evaluation_texts() -> None:
    for path in MODULES:
        assert "data/eval" not in path.read_text("utf-8"), path


def test_every_folder_of_data_says_what_it_is() -> None:
    for folder in (path for path in (ROOT / "data").iterdir() if path.is_dir()):
        assert (folder / "README.md").exists(), folder


def test_pinned_versions_are_whole() -> None:
    """Every direct requirement stands in constraints.txt, which the set-up installs from."""
    pyproject = (ROOT / "pyproject.toml").read_text("utf-8")
    direct = pyproject[pyproject.index("\ndependencies = [") : pyproject.index("[project.scripts]")]
    wanted = {name.lower().replace("_", "-") for name in re.findall(r'"([A-Za-z0-9_-]+)[>"]', direct)}
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in lines if "==" in line}
    assert wanted
    assert wanted <= pinned, wanted - pinned


def test_the_project_stands_alone() -> None:
    """No file speaks of the place where it was written."""
    done = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    words = re.compile(
        r"\.\./"
        + r"shared|/work"
        + r"/(?:main|shared|kbtool|venvs?|wt-|notes)|cata"
        + r"logue\.yaml|farm-"
        + r"bench"
    )
    for name in done.stdout.split():
        path = ROOT / name
        if path.suffix in (".py", ".md", ".yaml", ".yml", ".toml", ".txt", "") and path.is_file():
            found = words.search(path.read_text("utf-8", "replace"))
            assert not found, f"{name}: {found[0] if found else ''}"
