"""The chat in a browser: textual-serve's terminal page and protocol, for whoever has the token. Needs the extra `web`.

The token is the first part of every address (not a cookie: browsers send cookies to every port of a host, and so to the
programs of other users of a shared machine). It ends with the server; a referrer, a log or a tab's title never shows it.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import os
import secrets
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

import textual_serve
from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.server import Server

from assistant.errors import UsageError
from assistant.words import word

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

HERE = Path(__file__).parent / "web"
STATIC = Path(textual_serve.__file__).parent / "static"
PASTE = 256 << 20  # bytes of one message: a paste arrives in one
PATIENCE = 5.0  # seconds that an app has to end in order
# The current folder is not a place to import from, and `python -c` would put it first.
CHILD = "import sys; sys.path[:1] = [] if sys.path[0] == '' else sys.path[:1]; from assistant.tui.tab import main; main(sys.argv[1:])"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
    "connect-src 'self' ws://{host} wss://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class Tab:
    """What every tab's process is told; as `app.Options`, with `piped` as a file's path. `lang` is also the page's."""

    kb: str | None = None
    model: str | None = None
    lang: str = "auto"
    vectors: bool = True
    piped: str | None = None
    machine: bool = False


class Session(AppService):
    """One tab of a browser: a process of the app's own, started without a shell."""

    tab = Tab()

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        env = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS")} | {"TEXTUAL_COLOR_SYSTEM": "truecolor"}
        words = (sys.executable, "-c", CHILD, json.dumps(asdict(self.tab)), str(width), str(height))
        self._process = await asyncio.create_subprocess_exec(*words, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=env)
        self._stdin = self._process.stdin
        return self._process

    async def run(self) -> None:
        await super().run()
        await self.remote_close()  # also when the app ended without a word: the page says so instead of standing still

    async def stop(self) -> None:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(super().stop(), PATIENCE)
        if self._process is not None and self._process.returncode is None:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._process.wait(), PATIENCE)
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


class ChatServer(Server):
    """Serves `tab` on one address. `token` None: to everybody who can reach it. Raises UsageError for a taken port."""

    def __init__(self, tab: Tab, host: str, port: int, token: str | None, lang: str = "en") -> None:
        self.address, self.loopback = resolved(host)
        super().__init__("torchwhy chat", host, port, title="torchwhy", statics_path=STATIC)
        self.tab, self.token, self.lang = tab, token, lang
        self.prefix = f"/{token}" if token else ""
        self.cookie = (f"torchwhy-{secrets.token_hex(4)}", secrets.token_urlsafe())  # for downloads, whose address the script makes
        self.sockets: set[web.WebSocketResponse] = set()

    async def _make_app(self) -> web.Application:
        app = web.Application(middlewares=[self.guard])
        app.add_routes(
            [
                web.get(f"{self.prefix}/", self.handle_index),
                web.get(f"{self.prefix}/ws", self.handle_websocket),
                web.static(f"{self.prefix}/page", HERE),
                web.static(f"{self.prefix}/static", STATIC),
                web.get("/download/{key}", self.handle_download),
            ]
        )
        app.on_response_prepare.append(_add_headers)
        app.on_shutdown.append(self.on_shutdown)
        return app

    async def on_shutdown(self, app: web.Application) -> None:
        await asyncio.gather(*(opened.close() for opened in list(self.sockets)), return_exceptions=True)

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """403 for whoever lacks the token, comes by a foreign name (DNS rebinding), or from another site's page."""
        origin = request.headers.get("Origin", f"http://{request.host}")
        if not self.known(request.host) or origin.removeprefix("https://").removeprefix("http://") != request.host:
            raise web.HTTPForbidden(text="This address serves its own pages only.\n")
        if self.token:
            first = request.path.split("/")[1]
            name, value = self.cookie
            given, wanted = (request.cookies.get(name, ""), value) if first == "download" else (first, self.token)
            if not hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode()):
                raise web.HTTPForbidden(text="Open the whole address that `torchwhy chat --web` printed, with its token.\n")
        return await handler(request)

    def known(self, host: str) -> bool:
        """Whether a Host header names this machine: a foreign name that resolves here is somebody else's page."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        address = literal_address(name)
        if address is not None:
            return address.is_loopback or not self.loopback
        return name in ("localhost", self.host.lower()) or (not self.loopback and name == socket.gethostname().lower())

    async def handle_index(self, request: web.Request) -> web.StreamResponse:  # type: ignore[override]
        words = {key: escape(word(f"web_{key}", self.lang)) for key in ("ended", "again", "opening")}
        page = Template((HERE / "index.html").read_text("utf-8")).substitute(words, lang="zh-CN" if self.lang == "zh" else "en")
        response = web.Response(text=page, content_type="text/html", charset="utf-8")
        if self.token:
            response.set_cookie(*self.cookie, path="/download", httponly=True, samesite="Strict")
        return response

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        opened = web.WebSocketResponse(heartbeat=15, max_msg_size=PASTE)
        await opened.prepare(request)
        session = Session("", write_bytes=opened.send_bytes, write_str=opened.send_str, close=_closing(opened), download_manager=self.download_manager)
        session.tab = self.tab
        self.sockets.add(opened)
        try:
            await session.start(*(min(max(int(request.query[name]), 10), 500) for name in ("width", "height")))
            await self._process_messages(opened, session)
        except ConnectionError:  # the tab has gone
            pass
        except (LookupError, ValueError, TypeError, AttributeError, AssertionError):  # not this page's protocol
            await opened.close(code=1002)
        finally:
            self.sockets.discard(opened)
            await session.stop()
        return opened

    async def listen(self, tell: Callable[[str], None]) -> int:
        """Serve until a signal; `tell` hears the address. Returns the exit status."""
        runner = web.AppRunner(await self._make_app(), access_log=None, shutdown_timeout=2 * PATIENCE)
        await runner.setup()
        ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def end(status: int) -> None:
            if not ended.done():
                ended.set_result(status)

        for number, status in ((signal.SIGINT, 0), (signal.SIGTERM, 128 + signal.SIGTERM)):
            with suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt
                asyncio.get_running_loop().add_signal_handler(number, end, status)
        try:
            await web.TCPSite(runner, self.address, self.port).start()
        except OSError as error:
            await runner.cleanup()
            raise UsageError(f"cannot listen on {self.host} port {self.port} ({error.strerror}); --port takes another (0: any free one)") from error
        try:
            tell(self.url(runner.addresses[0][1]))
            return await ended
        finally:
            await runner.cleanup()

    def url(self, port: int) -> str:
        address = literal_address(self.host)
        name = socket.gethostname() if address and address.is_unspecified else f"[{self.host}]" if address and address.version == 6 else self.host
        return f"http://{name}:{port}{self.prefix}/"


def _closing(opened: web.WebSocketResponse) -> Callable[[], Awaitable[None]]:
    async def close() -> None:
        await opened.close()

    return close


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    for name, value in HEADERS.items():
        response.headers[name] = value.replace("{host}", request.host)


def literal_address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a text is, or None for a name."""
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def resolved(host: str) -> tuple[str, bool]:
    """(the address of this machine to listen on, whether only this machine reaches it). Raises UsageError."""
    try:
        found = socket.getaddrinfo(host or None, 0, type=socket.SOCK_STREAM, flags=0 if host else socket.AI_PASSIVE)
    except OSError as error:
        raise UsageError(f"--host {host}: no such address ({error.strerror})") from error
    address = str(min(found, key=lambda one: one[0] is not socket.AF_INET)[4][0])
    return address, ipaddress.ip_address(address.partition("%")[0]).is_loopback
