"""The chat looks as it did: text and styles at three sizes, in both themes. `python -m tests.tools.snapshot` renews them."""

from __future__ import annotations

import difflib

import pytest

from tests.tools.snapshot import FOLDER, HEAD, SIZES, seen_at


def parts(snapshot: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for section in snapshot.split("\n--- ")[1:]:
        name, _, body = section.partition("\n")
        found[name] = body.split("\n") if name == "text" else body.split()
    return found


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_chat_looks_as_it_did(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {path.stem: path.read_text("utf-8") for path in FOLDER.glob(f"*-{size[0]}x{size[1]}.txt")}
    heads = {text.split("\n")[0] for text in kept.values()}
    assert heads == {HEAD}, (
        "made with other versions: look at the differences, then python -m tests.tools.snapshot"
    )
    monkeypatch.setenv("LINES", "7")
    monkeypatch.setenv("COLUMNS", "31")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("LC_ALL", "C")
    seen = seen_at(size)
    assert set(kept) == set(seen), "python -m tests.tools.snapshot"
    complaints = []
    for name, text in seen.items():
        was, now = parts(kept[name]), parts(text)
        complaints += difflib.unified_diff(
            was["text"], now["text"], f"{name} as kept", f"{name} now", lineterm="", n=1
        )
        for theme in ("dark", "light"):
            lines = [
                at
                for at, pair in enumerate(zip(was[theme], now[theme], strict=False), 1)
                if pair[0] != pair[1]
            ]
            if lines and was["text"] == now["text"]:
                complaints.append(f"{name}: other colours or styles in {theme}, lines {lines}")
    assert not complaints, "if that is meant: python -m tests.tools.snapshot\n" + "\n".join(complaints)
