"""Lint, types and the habits that no linter knows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import assistant

from .conftest import ROOT

MODULES = sorted((ROOT / "assistant").rglob("*.py"))


@pytest.mark.parametrize("command", [["ruff", "check", "."], ["mypy"]], ids=["ruff", "mypy"])
def test_lint_and_types(command: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_all_is_what_is_public() -> None:
    defined = {name for name in vars(assistant) if not name.startswith("_") and getattr(vars(assistant)[name], "__module__", "").startswith("assistant.")}
    assert set(assistant.__all__) == defined
    assert assistant.__all__ == sorted(assistant.__all__)


def test_init_defines_nothing() -> None:
    tree = ast.parse((ROOT / "assistant" / "__init__.py").read_text("utf-8"))
    assert not [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]


@pytest.mark.parametrize("path", MODULES, ids=[path.stem for path in MODULES])
def test_public_things_have_docstrings(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    if path.name not in ("__main__.py",):
        assert ast.get_docstring(tree) is not None, f"{path.name} says what it is for"
    missing = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and not ast.get_docstring(node)]
    assert not missing


LAYERS = [
    "types",
    "errors",
    "conditions",
    "facts",
    "cleaning",
    "glossary",
    "normalise",
    "paste",
    "store",
    "signatures",
    "features",
    "match",
    "answer",
    "api",
    "cli",
]


def test_imports_run_one_way() -> None:
    """Types at the bottom, composition above, faces on top (imports inside functions are the lazy ones and do not count)."""
    for at, name in enumerate(LAYERS):
        tree = ast.parse((ROOT / "assistant" / f"{name}.py").read_text("utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                used = [node.module.split(".")[0]] if node.module else [alias.name for alias in node.names]
                above = [other for other in used if other in LAYERS[at + 1 :]]
                assert not above, f"{name} imports {above}"


def test_nothing_reads_the_evaluation_texts() -> None:
    for path in MODULES:
        assert "data/eval" not in path.read_text("utf-8"), path


def test_the_project_stands_alone() -> None:
    """No file speaks of the place where it was written."""
    done = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    words = re.compile(r"\.\./" + r"shared|/work" + r"/(?:main|shared|kbtool|venvs)|cata" + r"logue\.yaml|farm-" + r"bench")
    for name in done.stdout.split():
        path = ROOT / name
        if path.suffix in (".py", ".md", ".yaml", ".toml", ".txt", "") and path.is_file():
            found = words.search(path.read_text("utf-8", "replace"))
            assert not found, f"{name}: {found[0] if found else ''}"
