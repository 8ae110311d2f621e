"""Pictures of the chat for the documents, from the real app on the real knowledge base.

`python -m tests.tools.screenshots` renews data/pictures/screenshots/*.svg; with `--web` also web.png, drawn by a headless
Chromium.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from rich.cells import cell_len

from tests.conftest import ROOT
from tests.support.chat_pilot import Chat
from torchwhy import Assistant
from torchwhy.tui.app import ChatApp
from torchwhy.tui.state import ChatOptions

from .snapshot import settled

FOLDER = ROOT / "data" / "pictures" / "screenshots"
TWICE = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."
TRACE = f'Traceback (most recent call last):\n  File "train.py", line 61, in <module>\n    loss.backward()\n{TWICE}'
DEVICES = "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
OOM = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB. GPU 0 has a total capacity of 9.77 GiB of which 185.50 MiB is free. "
    "Process 3012 has 9.58 GiB memory in use. Of the allocated memory 9.02 GiB is allocated by PyTorch, and 251.34 MiB is reserved by PyTorch but unallocated."
)


@dataclass(frozen=True)
class Picture:
    """What is said, in which language and theme, and the key that is pressed then."""

    said: str
    lang: str
    theme: str
    key: str = ""
    size: tuple[int, int] = (110, 36)


PICTURES = {
    "answer": Picture(TRACE, "en", "textual-dark", size=(130, 36)),
    "chinese": Picture(OOM, "zh", "textual-light"),
    "candidates": Picture(DEVICES, "en", "textual-dark", "f3", (140, 36)),
}


async def _drawn(picture: Picture, assistant: Assistant) -> str:
    app = ChatApp(lambda progress: assistant, ChatOptions(lang=picture.lang))
    app.animation_level = "none"
    app.theme = picture.theme
    async with app.run_test(size=picture.size) as pilot:
        chat = Chat(app, pilot)
        await chat.until(lambda: chat.screen.session.conversation)
        await chat.say(picture.said)
        if picture.key:
            await pilot.press(picture.key)
        await settled(app)
        return _in_cells(app.export_screenshot())


def _in_cells(svg: str) -> str:
    """The picture with the length of each text by its cells: rich counts characters, and would squeeze Chinese to half its width."""
    cell = float(re.findall(r'textLength="([\d.]+)"[^>]*>torchwhy<', svg)[0]) / len("torchwhy")

    def stretched(found: re.Match[str]) -> str:
        return f'textLength="{round(cell * cell_len(html.unescape(found[3])), 1):g}"{found[2]}>{found[3]}<'

    return re.sub(r'textLength="([\d.]+)"([^>]*)>([^<]*)<', stretched, svg)


def drawn(name: str) -> str:
    """One picture as SVG. Words alone: what is shown is settled by signatures, and the same on every machine."""
    picture = PICTURES[name]
    env = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS", "NO_COLOR")}
    with mock.patch.dict(os.environ, env | {"TORCHWHY_HISTORY": "off"}, clear=True):
        assistant = Assistant(lang=picture.lang, vectors=False)
        # As released: the weights fitted to the entries. Between an edit and the next fit an answer says that they are not.
        assistant.matcher.ranking.fitted_on = {"entries": assistant.store.digests()}
        return asyncio.run(_drawn(picture, assistant))


def text_of(svg: str) -> list[str]:
    """The lines of a picture, top down; figures and bars aside, which change with every fit of the ranking."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for x, y, text in re.findall(
        r'<text class="[^"]*-r\d+" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>', svg
    ):
        rows.setdefault(float(y), []).append((float(x), html.unescape(text)))
    lines = [" ".join("".join(text for _, text in sorted(row)).split()) for _, row in sorted(rows.items())]
    return [re.sub(r"█+", "█", re.sub(r"\d+", "0", line)) for line in lines if line]


async def web_picture(folder: Path) -> bytes:
    """The chat in a browser as PNG."""
    from tests.support import browser
    from tests.support.web_chat import PROMPT, Serving

    with Serving(folder) as serving:
        async with browser.page(folder / "profile") as page:
            await page.ask("Page.navigate", url=serving.url)
            await page.until_received(PROMPT)
            await page.type(TWICE[:64])
            await page.press("Enter", 13)
            await page.until_received("backward-twice")
            await asyncio.sleep(3)  # until the terminal has drawn the rest
            return await page.screenshot()


def main(words: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        (FOLDER / f"{name}.svg").write_text(drawn(name), "utf-8")
    if "--web" in words:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            (FOLDER / "web.png").write_bytes(asyncio.run(web_picture(Path(folder))))
    for path in sorted(FOLDER.iterdir()):
        print(f"{path.stat().st_size:8} {path}")


if __name__ == "__main__":
    main(sys.argv[1:])
