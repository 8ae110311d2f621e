"""`torchwhy chat --web` as a process of its own, for the tests and the tool that draws pictures."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

from tests.conftest import ROOT

PROMPT = "an error, or ask"  # the cursor stands on the letters before


class Serving:
    """`torchwhy chat --web` as a process of its own."""

    def __init__(self, folder: Path) -> None:
        env = {
            **os.environ,
            "PYTHONPATH": str(ROOT / "assistant"),
            "LINES": "11",
            "COLUMNS": "33",
            "TORCHWHY_DATA": str(folder / "data"),
        }  # another terminal's size
        env.pop("NO_COLOR", None)
        words = ["-m", "torchwhy", "chat", "--web", "--port", "0", "--no-vectors", "--lang", "en"]
        self.errors = folder / "errors.txt"
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=folder,
                env=env,
            )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url, self.errors.read_text()

    @property
    def origin(self) -> str:
        return "http://" + urlsplit(self.url).netloc

    @property
    def tabs(self) -> list[int]:
        """The processes of the tabs that are open (Linux)."""
        return [
            int(pid)
            for pid in Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        ]

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


class Tab:
    """A websocket as the page opens it."""

    def __init__(self, opened: aiohttp.ClientWebSocketResponse) -> None:
        self.opened, self.data = opened, b""

    async def until(self, text: str) -> None:
        while text not in self.text:
            message = await self.opened.receive(timeout=120)
            assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), (message, self.text)
            self.data += message.data if isinstance(message.data, bytes) else b""

    async def until_closed(self) -> None:
        while not self.opened.closed:
            await self.opened.receive(timeout=60)

    @property
    def text(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*\$?[a-zA-Z]", "", self.data.decode("utf-8", "replace"))

    async def keys(self, text: str) -> None:
        await self.opened.send_json(["stdin", text])

    async def say(self, text: str) -> None:
        await self.keys(f"\x1b[200~{text}\x1b[201~\r")


@contextlib.asynccontextmanager
async def tab(serving: Serving, size: str = "width=90&height=30") -> AsyncIterator[Tab]:
    async with (
        aiohttp.ClientSession() as client,
        client.ws_connect(f"{serving.url}ws?{size}", origin=serving.origin, max_msg_size=0) as opened,
    ):
        yield Tab(opened)


async def gone(pids: list[int]) -> bool:
    """Whether these processes end soon."""
    end = time.monotonic() + 30
    while any(Path(f"/proc/{pid}/maps").exists() and Path(f"/proc/{pid}/maps").read_bytes() for pid in pids):
        if time.monotonic() > end:  # a zombie has no memory
            return False
        await asyncio.sleep(0.1)
    return True
