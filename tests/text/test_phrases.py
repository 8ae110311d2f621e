"""The phrases: every key that is used exists, and every key is used."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from torchwhy.text import phrases

PACKAGE = ROOT / "assistant" / "torchwhy"
PHRASES = phrases.__dict__["_phrases"]()
SAYS = {"phrase", "note", "tell", "_say_status"}  # functions whose first text is a key


def modules() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted((ROOT / "assistant" / "torchwhy").rglob("*.py")):
        if path.name != "phrases.py":
            yield path, ast.parse(path.read_text("utf-8"))


def keys_of(node: ast.expr) -> Iterator[str]:
    """The keys that an argument may be, where it says so literally."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from keys_of(node.body)
        yield from keys_of(node.orelse)


def test_every_key_that_is_used_exists() -> None:
    for path, tree in modules():
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and call.args:
                name = (
                    call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                )
                if name in SAYS:
                    for key in keys_of(call.args[0]):
                        assert key in PHRASES, f"{path.name}:{call.lineno}: {key}"


def test_every_key_is_used() -> None:
    literals: set[str] = set()
    prefixes: set[str] = set()
    for _, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                prefixes.add(str(node.values[0].value))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                literals.add(node.value)
    made = tuple(prefix for prefix in prefixes if prefix.endswith("_"))
    assert [key for key in PHRASES if key not in literals and not key.startswith(made)] == []


def test_both_languages_name_the_same_values() -> None:
    for key, (english, chinese) in PHRASES.items():
        assert english and chinese, key
        assert names_in(english) == names_in(chinese), key


def names_in(text: str) -> set[str]:
    import re

    return set(re.findall(r"\{(\w+)\}", text))


def test_a_key_means_one_thing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package, chinese in (("one", "从"), ("other", "由")):
        (tmp_path / package).mkdir()
        (tmp_path / package / "phrases.json").write_text(f'{{"say_from": ["from", "{chinese}"]}}', "utf-8")
    monkeypatch.setattr(phrases, "PACKAGE", tmp_path)
    with pytest.raises(ValueError, match="say_from"):
        phrases.__dict__["_phrases"].__wrapped__()
