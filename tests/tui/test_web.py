"""The chat in a browser: who is let in, what the websocket says, and once the real page in a real Chromium."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import os
import re
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest

from assistant.errors import UsageError
from assistant.tui.web.server import ChatServer
from assistant.tui.web.tab import Tab
from tests.conftest import ROOT, Run
from tests.support import browser
from tests.support.web_chat import PROMPT, Serving

TWICE = "RuntimeError: Trying to backward through the graph a second time"


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("web")) as started:
        yield started


class Tab_:
    """A websocket as the page opens it."""

    def __init__(self, opened: aiohttp.ClientWebSocketResponse) -> None:
        self.opened, self.data = opened, b""

    async def until(self, text: str, seconds: float = 120) -> None:
        end = time.monotonic() + seconds
        while text not in self.text:
            assert time.monotonic() < end, f"no {text!r} in {self.text[-3000:]}"
            message = await self.opened.receive(timeout=end - time.monotonic() + 1)
            assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), message
            self.data += message.data if isinstance(message.data, bytes) else b""

    @property
    def text(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*\$?[a-zA-Z]", "", self.data.decode("utf-8", "replace"))

    async def say(self, text: str) -> None:
        await self.opened.send_json(["stdin", f"\x1b[200~{text}\x1b[201~\r"])


@contextlib.asynccontextmanager
async def tab(
    serving: Serving, origin: str | None = None, size: str = "width=90&height=30"
) -> AsyncIterator[Tab_]:
    async with (
        aiohttp.ClientSession() as client,
        client.ws_connect(
            f"{serving.url}ws?{size}", headers={"Origin": origin or serving.origin}, max_msg_size=0
        ) as opened,
    ):
        yield Tab_(opened)


def test_the_token_opens_and_nothing_else_does(serving: Serving) -> None:
    token = urlsplit(serving.url).path.strip("/")
    assert len(token) >= 40 and token not in serving.errors.read_text()

    async def script() -> None:
        async with aiohttp.ClientSession() as client:

            async def status(path: str, **headers: str) -> int:
                async with client.get(serving.origin + path, headers=headers, allow_redirects=False) as got:
                    assert (
                        got.headers["Referrer-Policy"] == "no-referrer"
                        and "default-src 'none'" in got.headers["Content-Security-Policy"]
                    )
                    return got.status

            pages = ["/", "/page/page.js", "/static/js/textual.js", "/static/css/xterm.css"]
            for path in pages:
                assert await status(f"/{token}{path}") == 200, path
                for wrong in (
                    "",
                    f"/{token[:-1]}",
                    f"/{token}x",
                    f"/{token.swapcase()}",
                    "/%00",
                    "/ü",
                    f"//{token}",
                    f"/x/../{token[:-2]}",
                ):
                    assert await status(wrong + path) == 403, wrong + path
            for path in (
                "/ws",
                "/static",
                "/favicon.ico",
                "/download/x",
                f"/?token={token}",
                "/static/../static/js/textual.js",
            ):
                assert await status(path) == 403, path
            assert await status(f"/{token}/static/..%2f..%2fserver.py") in (403, 404)
            for host in ("evil.example", "evil.example:80", "192.0.2.7", "[::", "127.0.0.1.evil.example", ""):
                assert await status(f"/{token}/", Host=host) in (400, 403), (
                    host
                )  # a name that resolves here: DNS rebinding
            for host in ("localhost:1", "127.0.0.1:1", "[::1]:1"):  # forwarded from another port
                assert await status(f"/{token}/", Host=host) == 200, host
            for origin in (
                "http://evil.example",
                "null",
                f"{serving.origin}.evil.example",
                "http://127.0.0.1:1",
                "http://[",
            ):
                assert await status(f"/{token}/", Origin=origin) == 403, origin
                with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                    await client.ws_connect(f"{serving.url}ws?width=80&height=24", headers={"Origin": origin})
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await client.ws_connect(
                    f"{serving.origin}/ws?width=80&height=24", headers={"Origin": serving.origin}
                )

    asyncio.run(script())


def test_two_tabs_side_by_side(serving: Serving) -> None:
    async def script() -> None:
        # The first is high enough for a whole reply: its last line says where it is from.
        high, usual = "width=120&height=70", "width=120&height=40"
        async with tab(serving, size=high) as first, tab(serving, size=usual) as second:
            await asyncio.gather(first.until(PROMPT), second.until(PROMPT))
            await first.say(TWICE)
            await second.say(
                "RuntimeError: DataLoader worker (pid 7) is killed by signal: Bus error. shared memory (shm)"
            )
            await asyncio.gather(first.until("backward-twice"), second.until("shared"))
            await first.say("how do I fix it?")
            await first.until("(Fix)")
            assert "backward-twice" not in second.text
            assert len(serving.tabs) == 2

    asyncio.run(script())
    end = time.monotonic() + 20
    while serving.tabs:  # a tab that is closed takes its process along
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_big_paste(serving: Serving) -> None:
    async def script() -> None:
        async with tab(serving) as one:
            await one.until(PROMPT)
            await one.say(
                "step 1 loss 0.5\n" * (5 << 16) + TWICE
            )  # 5 MiB: more than aiohttp lets in by itself
            await one.until("backward-twice", 400)

    asyncio.run(script())


def test_a_paste_presses_no_key(serving: Serving) -> None:
    """The page sends a paste as it was copied: its own mark of the end of a paste is text like the rest."""
    end, leave = "\x1b[201~", "\x11"

    async def script() -> None:
        async with tab(serving) as one:
            await one.until(PROMPT)
            await one.opened.send_json(
                ["stdin", f"\x1b[200~{TWICE}{end}\r{leave}\x1b[20{end}1~{leave}{end}\r"]
            )
            await one.until("backward-twice")
            await one.say("why?")
            await one.until("why?")

    asyncio.run(script())


@pytest.mark.parametrize(
    "request_line",
    [b"OPTIONS * HTTP/1.1", b"\0\0\0", b"GET /\x1b]0;x\x07 HTTP/1.1", b"GET http://[ HTTP/1.1"],
    ids=["no path", "nothing", "control", "no address"],
)
def test_what_no_browser_sends_says_nothing_on_the_terminal(serving: Serving, request_line: bytes) -> None:
    """Whoever is on this machine, and every page of another site, can send it without the token."""
    place = urlsplit(serving.url)
    before = serving.errors.read_text()
    with socket.create_connection((str(place.hostname), int(place.port or 0)), 30) as opened:
        opened.sendall(
            request_line + b"\r\nHost: " + place.netloc.encode() + b"\r\nConnection: close\r\n\r\n"
        )
        said = opened.recv(1000)
    assert said.startswith((b"HTTP/1.1 40", b"HTTP/1.0 40")), said
    assert serving.errors.read_text() == before


@pytest.mark.skipif(sys.platform != "linux", reason="its time is read in /proc")
def test_nothing_that_comes_without_the_token_is_unpacked(serving: Serving) -> None:
    """Of 800 KB the page unpacked 800 MB, and stood still meanwhile."""
    place = urlsplit(serving.url)
    body = gzip.compress(bytes(100 << 20))
    head = f"Host: {place.netloc}\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n".encode()

    def seconds() -> float:
        fields = Path(f"/proc/{serving.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    before = seconds()
    for _ in range(8):
        with socket.create_connection((str(place.hostname), int(place.port or 0)), 30) as opened:
            opened.sendall(b"POST / HTTP/1.1\r\n" + head + body)
            assert opened.recv(1000).startswith(b"HTTP/1.1 403")
            opened.shutdown(socket.SHUT_WR)
            while opened.recv(1000):
                pass
    assert seconds() - before < 0.4


def test_nonsense_ends_its_own_tab_alone(serving: Serving) -> None:
    async def script() -> None:
        endless = '["resize", {"width": Infinity, "height": 1}]'
        for odd in (
            *("not json", '{"a": 1}', '["stdin"]', '["resize", {"width": "x"}]', '["stdin", 5]'),
            *("[" * 100_000, endless),
        ):
            async with tab(serving) as one:
                await one.opened.send_str(odd)
                while (await one.opened.receive(timeout=60)).type is not aiohttp.WSMsgType.CLOSE:
                    pass
        async with tab(serving, size="width=x&height=1") as one:
            assert (await one.opened.receive(timeout=60)).type is aiohttp.WSMsgType.CLOSE
        async with tab(serving, size="width=0&height=99999999") as one:
            await one.until("torch")

    asyncio.run(script())
    assert "Traceback" not in serving.errors.read_text()


def test_a_page_that_asks_for_any_size_gets_a_screen_that_is_drawn(serving: Serving) -> None:
    async def script() -> None:
        async with tab(serving) as one:
            await one.until("torch")
            await one.opened.send_json(["resize", {"width": 10**9, "height": 10**9}])
            await one.opened.send_json(["stdin", "\x1b[48;20000;20000;0;0t"])  # as a terminal tells its size
            await one.say(TWICE)
            await one.until("backward-twice", 60)

    asyncio.run(script())


def test_what_was_piped_is_answered_and_ctrl_c_ends_everything(tmp_path: Path) -> None:
    with Serving(tmp_path, stdin="step 1\n" * 10_000 + TWICE) as serving:

        async def script() -> None:
            async with tab(serving) as one:
                await one.until("backward-twice")
                tabs = serving.tabs
                started = time.monotonic()
                assert await asyncio.to_thread(serving.end) == 0
                assert time.monotonic() - started < 15 and not [
                    pid for pid in tabs if Path(f"/proc/{pid}").exists()
                ]
                while not one.opened.closed:
                    await one.opened.receive(timeout=10)

        asyncio.run(script())
        errors = serving.errors.read_text()
        assert "Traceback" not in errors and "reading standard input" in errors and errors.count("\n") == 2, (
            errors
        )


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no terminal hangs up here")
@pytest.mark.parametrize("number", ["SIGHUP", "SIGKILL"])
def test_what_was_piped_outlives_no_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    """A terminal that is closed hangs up; a server that is killed cleans nothing up."""
    if number == "SIGKILL" and sys.platform != "linux":
        pytest.skip("a file without a name is Linux's")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    with Serving(tmp_path, stdin=f"{TWICE} SECRET") as serving:

        async def script() -> None:
            async with tab(serving) as one:
                await one.until("backward-twice")

        asyncio.run(script())
        status = serving.end(getattr(signal, number))
    assert status == (129 if number == "SIGHUP" else -signal.SIGKILL)
    left = [path for path in (tmp_path / "temporary").rglob("*") if path.is_file()]
    assert not [path for path in left if b"SECRET" in path.read_bytes()]


def test_a_server_that_is_killed_leaves_no_app_behind(tmp_path: Path) -> None:
    with Serving(tmp_path, "--no-token") as serving:
        assert urlsplit(serving.url).path == "/" and "without a token" in serving.errors.read_text()

        async def script() -> None:
            async with tab(serving) as one:
                await one.until(PROMPT)
                (app,) = serving.tabs
                assert await asyncio.to_thread(serving.end, signal.SIGKILL) == -signal.SIGKILL
                end = time.monotonic() + 20
                while (
                    Path(f"/proc/{app}").exists() and "zombie" not in Path(f"/proc/{app}/status").read_text()
                ):
                    assert time.monotonic() < end
                    await asyncio.sleep(0.1)

        asyncio.run(script())


def test_an_export_is_a_download(serving: Serving) -> None:
    async def script() -> None:
        async with (
            tab(serving) as one,
            aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as client,
        ):
            await one.until(PROMPT)
            await one.say(TWICE)
            await one.until("backward-twice")
            await one.opened.send_json(["stdin", "\x13"])  # Ctrl+S
            while (message := await one.opened.receive(timeout=30)).type is not aiohttp.WSMsgType.TEXT:
                pass
            kind, key = json.loads(message.data)
            assert kind == "deliver_file_start"
            async with client.get(f"{serving.origin}/download/{key}") as got:
                assert got.status == 403
            async with client.get(serving.url) as got:  # the page brings the cookie of the downloads
                assert got.status == 200
            async with client.get(f"{serving.origin}/download/{key}") as got:
                assert got.status == 200 and "torchwhy-chat.md" in got.headers["Content-Disposition"]
                assert "backward-twice" in await got.text()

    asyncio.run(script())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--web", "--json"], "no --json"),
        (["--port", "1"], "go with --web"),
        (["--no-token"], "go with --web"),
        (["--web", "--port", "70000"], "0 to 65535"),
        (["--web", "--host", "0.0.0.0"], "--beyond-loopback"),
        (["--web", "--host", "::", "--no-token"], "--beyond-loopback"),
        (["--web", "--host", "0.0.0.0", "--beyond-loopback", "--no-token"], "loopback alone"),
        (["--web", "--host", ""], "--beyond-loopback"),
        (["--web", "--host", "no such host"], "no such address"),
    ],
)
def test_a_clear_line(torchwhy: Run, words: list[str], said: str) -> None:
    done = torchwhy("chat", *words)
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1 and not done.stdout


def test_a_port_that_is_taken(torchwhy: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = torchwhy("chat", "--web", "--port", port, stdin=None)
    assert (
        done.returncode == 2
        and f"port {port}" in done.stderr
        and "--port" in done.stderr
        and "Traceback" not in done.stderr
    )


def test_without_textual_serve(torchwhy: Run, tmp_path: Path) -> None:
    (tmp_path / "blocked").mkdir()
    (tmp_path / "blocked" / "textual_serve.py").write_text(
        "raise ModuleNotFoundError('No module named textual_serve', name='textual_serve')"
    )
    done = torchwhy(
        "chat", "--web", env={"PYTHONPATH": os.pathsep.join([str(tmp_path / "blocked"), str(ROOT)])}
    )
    assert done.returncode == 2 and "install '.[web]'" in done.stderr and done.stderr.count("\n") == 1


def test_names_beyond_loopback() -> None:
    near, far = ChatServer(Tab(), "127.0.0.1", 0, "t"), ChatServer(Tab(), "0.0.0.0", 0, "t")
    assert near.loopback and not far.loopback and near.url(8000) == "http://127.0.0.1:8000/t/"
    assert far.url(1) == f"http://{socket.gethostname()}:1/t/"
    assert far.known("192.0.2.7:80") and far.known(socket.gethostname()) and not far.known("evil.example")
    assert not near.known("192.0.2.7") and not near.known(f"{socket.gethostname()}.evil.example")
    with pytest.raises(UsageError):
        ChatServer(Tab(), "999.1.1.1", 0, "t")


@pytest.mark.skipif(browser.CHROMIUM is None, reason="no Chromium is installed (apt-get install chromium)")
def test_a_question_in_chromium(serving: Serving, tmp_path: Path) -> None:
    """Typed by keys, read back through the browser's own clipboard: all of xterm.js stands between, drawn on a canvas."""

    async def script() -> None:
        async with browser.page(tmp_path / "profile") as page:
            await page.ask(
                "Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"]
            )
            await page.ask("Page.navigate", url=serving.url)
            await page.until_received(PROMPT)
            assert await page.value("[document.title, document.activeElement.tagName]") == [
                "torchwhy",
                "TEXTAREA",
            ]
            empty = await page.screenshot()
            await page.type(TWICE)
            await page.press("Enter", 13)
            await page.until_received("backward-twice")
            await page.press("F8", 119)
            answer = await page.until("navigator.clipboard.readText().catch(() => '')")
            assert "**backward-twice**" in answer and "## Fix" in answer
            shot = await page.screenshot()
            assert shot.startswith(b"\x89PNG") and len(shot) > 1.5 * len(empty), (
                "the canvas shows more than it did"
            )
            here = urlsplit(serving.url).netloc
            assert {urlsplit(url).netloc for url in page.asked if not url.startswith("data:")} == {here}, (
                "nothing is asked of another site"
            )
            assert not page.complaints
            await page.ask(
                "Input.dispatchKeyEvent",
                type="keyDown",
                key="q",
                code="KeyQ",
                windowsVirtualKeyCode=81,
                modifiers=2,
            )
            assert "has ended" in await page.until(
                "document.body.classList.contains('-closed') && document.querySelector('#ended').innerText"
            )

    asyncio.run(script())


@pytest.mark.skipif(browser.CHROMIUM is None, reason="no Chromium is installed (apt-get install chromium)")
def test_a_paste_is_the_first_thing_in_chromium(serving: Serving, tmp_path: Path) -> None:
    """A log of a megabyte, before any key: the page has the focus, the app has not heard of it."""
    paste = """(text) => {
        const data = new DataTransfer(); data.setData('text/plain', text);
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
    }"""

    async def script() -> None:
        async with browser.page(tmp_path / "profile") as page:
            await page.ask("Page.navigate", url=serving.url)
            await page.until_received(PROMPT)
            await page.value(f"({paste})('step 1 loss 0.5\\n'.repeat(65536) + {json.dumps(TWICE)})")
            await page.until_received("65537 lines")
            await page.press("Enter", 13)
            await page.until_received("backward-twice")

    asyncio.run(script())
