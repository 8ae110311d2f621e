"""The chat in a browser: who is let in, what the websocket says, and once the real page in a real Chromium."""

from __future__ import annotations

import asyncio
import gzip
import os
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest

from tests.conftest import ROOT, Run
from tests.support import browser
from tests.support.web_chat import PROMPT, Serving, gone, tab

pytestmark = [pytest.mark.promise(5), pytest.mark.anyio]

TWICE = "RuntimeError: Trying to backward through the graph a second time"


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("web")) as started:
        yield started


async def test_the_token_opens_and_nothing_else_does(serving: Serving) -> None:
    token = urlsplit(serving.url).path.strip("/")
    assert (len(token) >= 40, token in serving.errors.read_text()) == (True, False)
    async with aiohttp.ClientSession() as client:

        async def status(path: str, **headers: str) -> int:
            async with client.get(serving.origin + path, headers=headers, allow_redirects=False) as got:
                assert got.headers["Referrer-Policy"] == "no-referrer"
                assert "default-src 'self'" in got.headers["Content-Security-Policy"]
                return got.status

        wrongs = ["", f"/{token[:-1]}", f"/{token}x", f"/{token.swapcase()}", "/%00", "/ü", f"//{token}"]
        for path in ("/", "/page/page.js", "/static/js/textual.js"):
            assert await status(f"/{token}{path}") == 200, path
            for wrong in wrongs:
                assert await status(wrong + path) == 403, wrong + path
        for path in ("/ws?width=1", "/static", "/favicon.ico", "/download/x", f"/?token={token}"):
            assert await status(path) == 403, path
        for host in ("evil.example", "192.0.2.7", "[::", "127.0.0.1.evil.example", "localhost@evil", ""):
            assert await status(f"/{token}/", Host=host) in (400, 403), host  # DNS rebinding
        for host in ("localhost:1", "127.0.0.1:1", "[::1]:1", "localhost"):  # forwarded from another port
            assert await status(f"/{token}/", Host=host) == 200, host
        for origin in ("http://evil.example", "null", f"{serving.origin}.example", "http://127.0.0.1:1"):
            assert await status(f"/{token}/", Origin=origin) == 403, origin
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await client.ws_connect(f"{serving.url}ws?width=80&height=24", origin=origin)
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await client.ws_connect(f"{serving.origin}/ws", origin=serving.origin)


async def test_two_tabs_side_by_side_and_a_process_ends_with_its_tab(serving: Serving) -> None:
    async with tab(serving, "width=120&height=70") as first, tab(serving) as second:
        await asyncio.gather(first.until(PROMPT), second.until(PROMPT))
        await first.say(TWICE)
        await second.say("RuntimeError: DataLoader worker (pid 7) is killed by signal: Bus error. (shm)")
        await asyncio.gather(first.until("backward-twice"), second.until("shared"))
        assert "backward-twice" not in second.text
        assert len(tabs := serving.tabs) == 2
    assert await gone(tabs)


async def test_a_paste_presses_no_key(serving: Serving) -> None:
    """The page sends a paste as it was copied: its own mark of the end of a paste is text like the rest."""
    end, leave = "\x1b[201~", "\x11"
    async with tab(serving) as one:
        await one.until(PROMPT)
        await one.say(f"{TWICE}{end}\r{leave}\x1b[20{end}1~{leave}")
        await one.until("backward-twice")
        await one.say("why?")
        await one.until("why?")


def test_what_comes_without_the_token_costs_and_says_nothing(serving: Serving) -> None:
    """Whoever is on this machine, and every page of another site, can send it."""
    place = urlsplit(serving.url)
    body = gzip.compress(bytes(100 << 20))
    packed = f"POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}".encode()
    odd = (b"OPTIONS * HTTP/1.1", b"\0\0\0", b"GET /\x1b]0;x\x07 HTTP/1.1", b"GET http://[ HTTP/1.1")

    def seconds() -> float:
        fields = Path(f"/proc/{serving.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    said, spent = serving.errors.read_text(), seconds()
    for line in (*odd, *[packed] * 8):
        with socket.create_connection((str(place.hostname), int(place.port or 0)), 30) as opened:
            opened.sendall(line + b"\r\nHost: " + place.netloc.encode() + b"\r\n\r\n")
            opened.sendall(body if line is packed else b"")
            assert re.match(rb"HTTP/1.[01] 40", opened.recv(1000)), line
            opened.shutdown(socket.SHUT_WR)
            opened.makefile("rb").read()
    assert (serving.errors.read_text(), seconds() - spent < 0.4) == (said, True)


async def test_nonsense_ends_its_own_tab_alone(serving: Serving) -> None:
    async with tab(serving) as good:
        for odd in ("not json", '["stdin"]', '["resize", {"width": "x"}]', '["stdin", 5]', "[" * 9999):
            async with tab(serving) as one:
                await one.opened.send_str(odd)
                await one.until_closed()
        await good.say(TWICE)
        await good.until("backward-twice")
    assert "Traceback" not in serving.errors.read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
async def test_the_server_takes_its_tabs_along(tmp_path: Path, number: signal.Signals) -> None:
    with Serving(tmp_path) as serving:
        async with tab(serving) as one:
            await one.until(PROMPT)
            tabs = serving.tabs
            status, _ = await asyncio.gather(asyncio.to_thread(serving.end, number), one.until_closed())
        assert status == (0 if number == signal.SIGINT else -number)
        assert await gone(tabs)
        assert serving.errors.read_text().count("\n") == 1, serving.errors.read_text()


REFUSED = {
    "--web --json": "no --json",
    "--port 1": "goes with --web",
    "--web --port 70000": "--port 0 takes",
    "--web": "reads no standard input",
}


@pytest.mark.parametrize(("words", "said"), REFUSED.items())
def test_a_clear_line(torchwhy: Run, words: str, said: str) -> None:
    done = torchwhy("chat", *words.split(), stdin=TWICE if words == "--web" else None)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr


def test_a_port_that_is_taken_and_without_textual_serve(torchwhy: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = torchwhy("chat", "--web", f"--port={taken.getsockname()[1]}", stdin=None)
    assert (done.returncode, done.stderr.count("\n"), "use" in done.stderr) == (2, 1, True)
    (tmp_path / "blocked").mkdir()
    (tmp_path / "blocked" / "textual_serve.py").write_text("raise ModuleNotFoundError(name=__name__)")
    done = torchwhy(
        "chat", "--web", env={"PYTHONPATH": f"{tmp_path}/blocked{os.pathsep}{ROOT / 'assistant'}"}, stdin=None
    )
    assert done.returncode == 2
    assert "install '.[web]'" in done.stderr


@pytest.mark.skipif(browser.CHROMIUM is None, reason="no Chromium is installed (apt-get install chromium)")
async def test_a_question_in_chromium(serving: Serving, tmp_path: Path) -> None:
    """A log of a megabyte before any key, read back through the browser's clipboard: xterm.js stands between."""

    async with browser.page(tmp_path / "profile") as page:
        await page.ask(
            "Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"]
        )
        await page.ask("Page.navigate", url=serving.url)
        await page.until_received(PROMPT)
        await page.paste("step 1 loss 0.5\n" * 65536 + TWICE)
        await page.until_received("65537 lines")
        await page.press("Enter", 13)
        await page.until_received("backward-twice")
        await page.press("F8", 119)
        answer = await page.until("navigator.clipboard.readText().catch(() => '')")
        assert "**backward-twice**" in answer
        asked = {urlsplit(url).netloc for url in page.asked if not url.startswith("data:")}
        assert asked == {urlsplit(serving.url).netloc}, "nothing is asked of another site"
        assert not page.complaints
        key = {"key": "q", "code": "KeyQ", "windowsVirtualKeyCode": 81, "modifiers": 2}
        await page.ask("Input.dispatchKeyEvent", type="keyDown", **key)
        assert "has ended" in await page.until("document.querySelector('body.-closed #ended')?.innerText")
