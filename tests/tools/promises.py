"""Write docs/promises.md: which tests hold each promise of SECURITY.md.

python -m tests.tools.promises

A test file names the promises that it holds: `pytestmark = pytest.mark.promise(1)`, or `promise(1, 4)`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "promises.md"
TITLE = re.compile(r"^(\d)\. \*\*(.+?)\*\*", re.MULTILINE)
INTRO = """# What holds each promise

The promises of [SECURITY.md](../SECURITY.md), each with the tests that would fail without it. `python -m tests.tools.promises` makes this page anew.
"""


def titles() -> dict[int, str]:
    """The promises of SECURITY.md by number."""
    return {int(number): title for number, title in TITLE.findall((ROOT / "SECURITY.md").read_text("utf-8"))}


def held() -> dict[int, dict[str, list[str]]]:
    """The tests of each promise, by file."""
    found: dict[int, dict[str, list[str]]] = {number: {} for number in titles()}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text("utf-8")
        if "mark.promise(" not in text:
            continue
        tree = ast.parse(text)
        tests = [
            node.name
            for node in tree.body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        ]
        for number in promised(tree):
            found[number][path.relative_to(ROOT).as_posix()] = tests
    return found


def promised(tree: ast.Module) -> Iterator[int]:
    """The numbers of the file's `pytest.mark.promise(...)`."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "promise"
        ):
            yield from (each.value for each in node.args if isinstance(each, ast.Constant))  # type: ignore[misc]


def page() -> str:
    known = titles()
    parts = [INTRO]
    for number, files in held().items():
        parts.append(f"## {number}. {known[number]}\n")
        parts += [
            f"- [{file}](../{file})" + "".join(f"\n  - {said(test)}" for test in tests)
            for file, tests in files.items()
        ]
        parts.append("")
    return "\n".join(parts)


def said(test: str) -> str:
    """A test's name as a sentence."""
    return test.removeprefix("test_").replace("_", " ")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
