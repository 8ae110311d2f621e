"""The phrases: every key that is used exists, every key is used, and every package's own stand beside it."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from torchwhy.text import phrases

TABLES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in ROOT.glob("assistant/torchwhy/*/phrases.py")
    if path.parent.name != "text"  # the look-up, which holds none
)
PHRASES = {key: texts for name in TABLES for key, texts in importlib.import_module(name).PHRASES.items()}
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


def reachable(package: str) -> set[str]:
    """The keys that importing a package's phrases registers: its own, and those of the phrases it imports."""
    module = importlib.import_module(f"torchwhy.{package}.phrases")
    keys = set(module.PHRASES)
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                keys |= reachable(name.name.split(".")[1])
    return keys


def test_a_package_s_phrases_bring_all_it_says() -> None:
    """Whoever imports one module alone finds its phrases, whatever else was imported before."""
    for path, tree in modules():
        package = path.relative_to(ROOT / "assistant" / "torchwhy").parts[0]
        if f"torchwhy.{package}.phrases" not in TABLES:
            continue
        keys = reachable(package)
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and call.args and getattr(call.func, "id", "") == "phrase":
                for key in keys_of(call.args[0]):
                    assert key in keys, f"{path.name}:{call.lineno}: {key}"
    assert {"broken", "fixed"} <= reachable("tui"), "a leg's name is said by the proof's page"


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
        assert set(phrases.__dict__["_registered"]) >= {key}
        assert names_in(english) == names_in(chinese), key


def names_in(text: str) -> set[str]:
    import re

    return set(re.findall(r"\{(\w+)\}", text))


def test_a_key_means_one_thing() -> None:
    phrases.register({"say_from": PHRASES["say_from"]})
    with pytest.raises(ValueError, match="say_from"):
        phrases.register({"say_from": ("by", "由")})
    assert phrases.phrase("say_from", "en") == "from"
