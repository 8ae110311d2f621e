"""What the documents name is there: files, tests, commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import ROOT
from .tools import promises

DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "kb" / "README.md",
    *sorted((ROOT / "data").rglob("README.md")),
]
LINK = re.compile(r"\]\((?!https?://)([^)#]+)\)")
PLACE = re.compile(r"`((?:assistant|tests|kb|data|docs|\.ci)/[\w./-]+)`")
MODULE = re.compile(r"\bpython -m (torchwhy\.[\w.]+|tests\.[\w.]+)")
# Names that a reader replaces, or a file that is there once it is needed.
EXAMPLES = {
    "kb/renamed.yaml",
    "kb/shapes/my-pitfall",
    "assistant/torchwhy/commands/NAME.py",
    "docs/guides/NAME.en.md",
    "docs/guides/NAME.zh.md",
    "assistant/torchwhy/tui/screens/NAME.py",
}

every_document = pytest.mark.parametrize(
    "path", DOCUMENTS, ids=[path.relative_to(ROOT).as_posix() for path in DOCUMENTS]
)


@every_document
def test_links_lead_somewhere(path: Path) -> None:
    missing = [name for name in LINK.findall(path.read_text("utf-8")) if not (path.parent / name).exists()]
    assert not missing


@every_document
def test_files_and_modules_that_are_named_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    names = set(PLACE.findall(text)) - EXAMPLES
    modules = [name.rstrip(".").replace(".", "/") + ".py" for name in MODULE.findall(text)]
    modules = [f"assistant/{name}" if name.startswith("torchwhy/") else name for name in modules]
    short = [f"assistant/torchwhy/{name}" for name in re.findall(r"`(\w+/\w+\.py)`", text)]
    missing = [
        name
        for name in (*sorted(names), *modules, *short)
        if not (ROOT / name).exists() and not (ROOT / name.removeprefix("assistant/torchwhy/")).exists()
    ]
    assert not missing


def test_each_promise_has_its_tests() -> None:
    """`python -m tests.tools.promises` makes the page."""
    assert promises.PAGE.read_text("utf-8") == promises.page()
    assert set(promises.held()) == set(range(1, 7)) and all(promises.held().values())


def test_hooks_name_what_exists() -> None:
    import yaml

    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    hooks = config["repos"][0]["hooks"]
    assert {hook["id"] for hook in hooks} >= {"ruff", "ruff-format", "mypy", "kb-check"}
    for hook in hooks:
        re.compile(hook.get("files", ""))
        assert hook["language"] == "system"
