"""A headless Chromium, driven over its DevTools protocol with the aiohttp that textual-serve brings."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import json
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp

CHROMIUM = next(
    (
        found
        for name in ("chromium", "chromium-browser", "google-chrome", "chrome")
        if (found := shutil.which(name))
    ),
    None,
)


class Page:
    """One tab. `received` is what came over the page's websockets; `asked` every address that it asked for."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket, self.numbers = socket, itertools.count(1)
        self.answers: dict[int, asyncio.Future[Any]] = {}
        self.received, self.asked, self.complaints = b"", set[str](), list[str]()
        self.reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.socket:
            said = message.json()
            params = said.get("params", {})
            if "id" in said:
                self.answers.pop(said["id"]).set_result(said)
            elif said["method"] == "Network.webSocketFrameReceived" and params["response"]["opcode"] == 2:
                self.received += base64.b64decode(params["response"]["payloadData"])
            elif said["method"] == "Network.requestWillBeSent":
                self.asked.add(params["request"]["url"])
            elif said["method"] == "Network.webSocketCreated":
                self.asked.add(params["url"])
            elif said["method"] == "Runtime.exceptionThrown":
                self.complaints.append(str(params["exceptionDetails"]))
            elif said["method"] == "Log.entryAdded" and params["entry"]["level"] == "error":
                self.complaints.append(params["entry"]["text"])

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self.numbers)
        self.answers[number] = asyncio.get_running_loop().create_future()
        await self.socket.send_json({"id": number, "method": method, "params": params})
        said = await asyncio.wait_for(self.answers[number], 60)
        assert "error" not in said, said
        return said["result"]  # type: ignore[no-any-return]

    async def value(self, script: str) -> Any:
        """What a script says, promises awaited."""
        done = await self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True
        )
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    async def type(self, text: str) -> None:
        for letter in text:
            await self.ask("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            await self.ask("Input.dispatchKeyEvent", type="keyUp", key=letter)

    async def paste(self, text: str) -> None:
        """As the browser hands over what was copied."""
        await self.value(
            f"((data) => {{ data.setData('text/plain', {json.dumps(text)});"
            "document.activeElement.dispatchEvent(new ClipboardEvent('paste',"
            "{clipboardData: data, bubbles: true, cancelable: true})); })(new DataTransfer())"
        )

    async def press(self, key: str, code: int) -> None:
        text = {"text": "\r"} if key == "Enter" else {}
        await self.ask(
            "Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code, **text
        )
        await self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)

    async def until(self, script: str, seconds: float = 60) -> Any:
        """Wait until a script says something true."""
        end = time.monotonic() + seconds
        while not (found := await self.value(script)):
            assert time.monotonic() < end, f"waited {seconds} s for {script}; {self.complaints}"
            await asyncio.sleep(0.1)
        return found

    async def until_received(self, text: str, seconds: float = 90) -> None:
        end = time.monotonic() + seconds
        while text.encode() not in self.received:
            assert time.monotonic() < end, (
                f"waited {seconds} s for {text!r}; {self.complaints}; {self.received[-2000:]!r}"
            )
            await asyncio.sleep(0.1)

    async def screenshot(self) -> bytes:
        """The page as PNG."""
        return base64.b64decode((await self.ask("Page.captureScreenshot", format="png"))["data"])


@contextlib.asynccontextmanager
async def page(folder: Path, size: tuple[int, int] = (1100, 720)) -> AsyncIterator[Page]:
    """A page of a Chromium of its own, whose profile lies in `folder`. `size` in pixels."""
    assert CHROMIUM is not None
    words = [
        CHROMIUM,
        "--headless=new",
        "--remote-debugging-port=0",
        f"--user-data-dir={folder}",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--hide-scrollbars",
        f"--window-size={size[0]},{size[1]}",
        "about:blank",
    ]
    process = await asyncio.create_subprocess_exec(
        *words, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        port = folder / "DevToolsActivePort"
        end = time.monotonic() + 60
        while not port.exists() or not port.read_text().strip():
            assert process.returncode is None and time.monotonic() < end, "Chromium did not start"
            await asyncio.sleep(0.1)
        base = f"http://127.0.0.1:{port.read_text().split()[0]}"
        async with aiohttp.ClientSession() as client:
            targets = await (await client.get(f"{base}/json/list")).json()
            target = next(one for one in targets if one["type"] == "page")
            async with client.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=64 << 20) as socket:
                opened = Page(socket)
                for domain in ("Network", "Runtime", "Page", "Log"):
                    await opened.ask(f"{domain}.enable")
                await opened.ask(
                    "Emulation.setDeviceMetricsOverride",
                    width=size[0],
                    height=size[1],
                    deviceScaleFactor=1,
                    mobile=False,
                )
                yield opened
                opened.reader.cancel()
    finally:
        process.terminate()
        await process.wait()
