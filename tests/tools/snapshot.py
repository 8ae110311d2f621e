"""Snapshots of the chat: the text of every line, and a hash of every line's styles in both themes.

`python -m tests.tools.snapshot` renews tests/tui/snapshots/. A knowledge base, a ranking and a date of their own: nothing changes
them but the chat. (pytest-textual-snapshot pins pytest < 9 and keeps whole SVGs, whose differences nobody can read.)
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from unittest import mock

from textual.app import App
from textual.widgets import Input, TextArea

from tests.conftest import ROOT
from tests.support.chat_pilot import Chat
from tests.support.fixture_kb import fixture_world
from torchwhy import Assistant
from torchwhy.chat import history
from torchwhy.tui.app import ChatApp
from torchwhy.tui.state import ChatOptions

FOLDER = ROOT / "tests" / "tui" / "snapshots"
SIZES = [(80, 24), (120, 40), (200, 60)]
THEMES = {"dark": "textual-dark", "light": "textual-light"}
HEAD = f"torchwhy snapshot, textual {version('textual')}, rich {version('rich')}, pygments {version('pygments')}; renew: python -m tests.tools.snapshot"
CAT = "RuntimeError: Sizes of tensors must match except in dimension 1. Expected size 32 but got size 31 for tensor number 1 in the list."
PASTE = f'epoch 1\nTraceback (most recent call last):\n  File "unet.py", line 41, in forward\n    x = torch.cat([skip, up], dim=1)\n{CAT}'


@contextlib.contextmanager
def own_world(folder: Path) -> Iterator[Assistant]:
    """An Assistant on the fixture alone, and a fixed clock."""
    with (
        fixture_world(folder) as assistant,
        mock.patch.object(history, "_now", lambda: "2026-01-02T03:04:05+00:00"),
    ):
        yield assistant


async def settled(app: App[None]) -> list[tuple[str, str]]:
    """(text, hash of its styles) of every line, once the screen stands still for a quarter of a second."""
    for field in app.screen.query("Input, TextArea"):
        assert isinstance(field, Input | TextArea)
        field.cursor_blink = False
    before: list[tuple[str, str]] = []
    same = 0
    for _ in range(400):
        await asyncio.sleep(0.05)
        lines = []
        for strip in app.screen._compositor.render_strips():
            styles = [(segment.cell_length, str(segment.style)) for segment in strip.simplify()]
            lines.append((strip.text.rstrip(), hashlib.sha256(repr(styles).encode()).hexdigest()[:6]))
        same = same + 1 if lines == before else 0
        if same == 5:
            return lines
        before = lines
    raise AssertionError("the screen never stood still")


async def looked_at(app: App[None]) -> str:
    """The screen as a snapshot, in both themes."""
    parts, texts = [], {}
    for name, theme in THEMES.items():
        app.theme = theme
        lines = await settled(app)
        texts[name] = "\n".join(text for text, _ in lines)
        hashes = [hashed for _, hashed in lines]
        parts.append(
            "\n".join([f"--- {name}", *(" ".join(hashes[at : at + 12]) for at in range(0, len(hashes), 12))])
        )
    assert texts["dark"] == texts["light"], "a theme changes colours, not text"
    return "\n".join([HEAD, "--- text", texts["dark"], *parts, ""])


async def journey(assistant: Assistant, size: tuple[int, int]) -> dict[str, str]:
    """Every scene of one sitting by its name."""
    seen: dict[str, str] = {}
    app = ChatApp(lambda progress: assistant, ChatOptions(lang="en"))
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        chat = Chat(app, pilot)

        async def look(name: str) -> None:
            seen[f"{name}-{size[0]}x{size[1]}"] = await looked_at(app)

        await chat.until(lambda: chat.screen.session.conversation and "without" in app.status)
        await look("start")
        await chat.say(PASTE)
        await look("answer")
        await pilot.press("f3")
        await look("candidates")
        await pilot.press("escape", "f9")
        await chat.until(lambda: len(chat.answers) == 2 and not chat.screen.busy)
        await look("chinese")
        await pilot.press("f9")
        await chat.until(lambda: len(chat.answers) == 3 and not chat.screen.busy)
        await chat.until(lambda: history.History().sessions() and history.History().sessions()[0].turns == 1)
        await pilot.press("f2")
        await chat.until(lambda: app.screen.query("#browse-list"))
        await chat.type("broad")
        await chat.until(lambda: getattr(app.screen, "picked", None) == "sizes-do-not-broadcast")
        await look("browse")
        await pilot.press("escape", "f4")
        await chat.until(lambda: getattr(app.screen, "picked", None) == "1")
        await look("history")
    return seen


def seen_at(size: tuple[int, int]) -> dict[str, str]:
    """The snapshots of one size as the chat looks now."""
    with tempfile.TemporaryDirectory() as folder, own_world(Path(folder)) as assistant:
        return asyncio.run(journey(assistant, size))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    written = set()
    for size in SIZES:
        for name, text in seen_at(size).items():
            (FOLDER / f"{name}.txt").write_text(text, "utf-8")
            written.add(f"{name}.txt")
    for path in FOLDER.iterdir():
        if path.name not in written:
            path.unlink()
    print(f"{len(written)} snapshots in {FOLDER}")


if __name__ == "__main__":
    main()
