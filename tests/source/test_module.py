"""One file as names and values, and the files of a project."""

from __future__ import annotations

import ast

import pytest

from torchwhy.source import module, project
from torchwhy.source.project import Project, parse

HELPER = "def helper(x):\n    return x\n"


def test_a_name_that_is_bound_without_end_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[object] = []
    end = module.end
    monkeypatch.setattr(module, "end", lambda node: (looks.append(node), end(node))[1])
    count = 1500
    parsed = parse("train.py", "a = 1\n" + "a = a + a\n" * count)
    for node in parsed.by_type[ast.Name]:
        assert isinstance(node, ast.Name) and parsed.bindings(node) == []
    assert len(looks) < count**2 / 10


def test_the_nearest_file_of_a_name_is_the_one_that_is_imported() -> None:
    given = Project(["a/utils.py", "b/utils.py", "b/c/utils.py", "utils/__init__.py"], lambda path: HELPER)
    for user, wanted in (
        ("b/train.py", "b/utils.py"),
        ("b/c/train.py", "b/c/utils.py"),
        ("b/c/d/train.py", "b/c/utils.py"),
        ("e/train.py", "a/utils.py"),
        ("a/utils.py", "b/utils.py"),
        ("b/c/utils.py", "b/utils.py"),
    ):
        found = given.find("utils.helper", given.adopt(parse(user, "import utils\n")))
        assert found is not None and found[0].path == wanted


def test_of_parsed_files_no_more_are_kept_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight of half a mebibyte each took 2 GB; a file that imports from two hundred has each parsed once."""
    texts = {f"n{at}.py": HELPER for at in range(200)}
    opened: list[str] = []

    def read(path: str) -> str:
        opened.append(path)
        return texts[path]

    given = Project(list(texts), read)
    user = given.adopt(parse("train.py", "import torch\n"))
    for _ in range(3):
        for at in range(200):
            assert given.find(f"n{at}.helper", user) is not None
    assert len(opened) == 200
    monkeypatch.setattr(project, "KEPT_CHARS", 10_000)
    texts = {f"m{at}.py": HELPER + "a\n" * 1000 for at in range(12)}
    given = Project(list(texts), texts.__getitem__)
    for at in range(12):
        assert given.find(f"m{at}.helper", user) is not None
    assert sum(len(each.text) for each in given._kept.values() if each is not None) <= 10_000
