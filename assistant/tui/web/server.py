"""The chat in a browser: textual-serve's terminal page and protocol, for whoever has the token.

Needs the extra `web`.

The token is the first part of every address (not a cookie: browsers send cookies to every port of a host, and
so to the programs of other users of a shared machine). It ends with the server; a referrer, a log or a tab's
title never shows it.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import logging
import os
import secrets
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

import textual_serve
from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.server import Server

from assistant.errors import UsageError
from assistant.tui.paste_driver import END, START
from assistant.tui.phrases import phrase

from .tab import Tab

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

PAGE_FOLDER = Path(__file__).parent
STATIC_FOLDER = Path(textual_serve.__file__).parent / "static"
MAX_MESSAGE_BYTES = 256 << 20  # a paste arrives in one message
END_TIMEOUT_S = 5.0  # that an app has to end in order
HEARTBEAT_S = 15
SILENT = logging.getLogger("torchwhy.web")  # what reaches the port without the token writes on no terminal
SILENT.disabled = True
MIN_CELLS, MAX_CELLS = 10, 500  # the width and height that a page may ask for
# The current folder is not a place to import from, and `python -c` would put it first.
CHILD_CODE = (
    "import sys; sys.path[:1] = [] if sys.path[0] == '' else sys.path[:1]; "
    "from assistant.cli.tab import main; main(sys.argv[1:])"
)
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self' ws://{host} wss://{host}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class Session(AppService):
    """One tab of a browser: a process of the app's own, started without a shell."""

    tab = Tab()

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        env = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS")} | {
            "TEXTUAL_COLOR_SYSTEM": "truecolor"
        }
        words = (sys.executable, "-c", CHILD_CODE, json.dumps(asdict(self.tab)), str(width), str(height))
        self._process = await asyncio.create_subprocess_exec(
            *words, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=env
        )
        self._stdin = self._process.stdin
        return self._process

    async def send_bytes(self, data: bytes) -> bool:
        """What was typed, or one paste: its text was written by others and presses no key."""
        return await super().send_bytes(closed_paste(data))

    async def set_terminal_size(self, width: int, height: int) -> None:
        """A page may ask for any size, which would be drawn."""
        await super().set_terminal_size(bounded(width), bounded(height))

    async def run(self) -> None:
        await super().run()
        # Also when the app ended without a word: the page says so instead of standing still.
        await self.remote_close()

    async def stop(self) -> None:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(super().stop(), END_TIMEOUT_S)
        if self._process is not None and self._process.returncode is None:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._process.wait(), END_TIMEOUT_S)
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


class ChatServer(Server):
    """Serves `tab` on one address.

    `token` None: to everybody who can reach it. Raises UsageError for a taken port.
    """

    def __init__(self, tab: Tab, host: str, port: int, token: str | None, lang: str = "en") -> None:
        self.address, self.loopback = resolved(host)
        super().__init__("torchwhy chat", host, port, title="torchwhy", statics_path=STATIC_FOLDER)
        self.tab, self.token, self.lang = tab, token, lang
        self.prefix = f"/{token}" if token else ""
        # For downloads, whose address the page's script makes.
        self.cookie = (f"torchwhy-{secrets.token_hex(4)}", secrets.token_urlsafe())
        self.sockets: set[web.WebSocketResponse] = set()

    async def _make_app(self) -> web.Application:
        app = web.Application(middlewares=[self.guard])
        app.add_routes(
            [
                web.get(f"{self.prefix}/", self.handle_index),
                web.get(f"{self.prefix}/ws", self.handle_websocket),
                web.static(f"{self.prefix}/page", PAGE_FOLDER),
                web.static(f"{self.prefix}/static", STATIC_FOLDER),
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
        """403 without the token, by a foreign name (DNS rebinding), and from another site's page."""
        origin = request.headers.get("Origin", f"http://{request.host}")
        if (
            not self.known(request.host)
            or origin.removeprefix("https://").removeprefix("http://") != request.host
        ):
            raise web.HTTPForbidden(text="This address serves its own pages only.\n")
        if self.token:
            first = request.path.removeprefix("/").partition("/")[0]  # `OPTIONS *` has no slash
            name, value = self.cookie
            given, wanted = (
                (request.cookies.get(name, ""), value) if first == "download" else (first, self.token)
            )
            if not hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode()):
                raise web.HTTPForbidden(
                    text="Open the whole address that `torchwhy chat --web` printed, with its token.\n"
                )
        return await handler(request)

    def known(self, host: str) -> bool:
        """Whether a Host header names this machine; a foreign name that resolves here is another's page."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        address = literal_address(name)
        if address is not None:
            return address.is_loopback or not self.loopback
        return name in ("localhost", self.host.lower()) or (
            not self.loopback and name == socket.gethostname().lower()
        )

    async def handle_index(self, request: web.Request) -> web.StreamResponse:  # type: ignore[override]
        words = {key: escape(phrase(f"web_{key}", self.lang)) for key in ("ended", "again", "opening")}
        page = Template((PAGE_FOLDER / "index.html").read_text("utf-8")).substitute(
            words, lang="zh-CN" if self.lang == "zh" else "en"
        )
        response = web.Response(text=page, content_type="text/html", charset="utf-8")
        if self.token:
            response.set_cookie(*self.cookie, path="/download", httponly=True, samesite="Strict")
        return response

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        opened = web.WebSocketResponse(heartbeat=HEARTBEAT_S, max_msg_size=MAX_MESSAGE_BYTES)
        await opened.prepare(request)
        session = Session(
            "",
            write_bytes=opened.send_bytes,
            write_str=opened.send_str,
            close=_closing(opened),
            download_manager=self.download_manager,
        )
        session.tab = self.tab
        self.sockets.add(opened)
        try:
            await session.start(*(bounded(request.query[name]) for name in ("width", "height")))
            await self._process_messages(opened, session)
        except ConnectionError:  # the tab has gone
            pass
        # Whoever speaks another protocol than this page's.
        except (
            *(LookupError, ValueError, TypeError, AttributeError, AssertionError),
            *(ArithmeticError, RecursionError),  # a number without end, a list in lists without end
        ):
            await opened.close(code=1002)
        finally:
            self.sockets.discard(opened)
            await session.stop()
        return opened

    async def listen(self, tell: Callable[[str], None]) -> int:
        """Serve until a signal; `tell` hears the address. Returns the exit status."""
        runner = web.AppRunner(
            await self._make_app(),
            access_log=None,
            logger=SILENT,
            shutdown_timeout=2 * END_TIMEOUT_S,
            auto_decompress=False,  # no body is read here, and one without the token can unpack to gigabytes
        )
        await runner.setup()
        ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def end(status: int) -> None:
            if not ended.done():
                ended.set_result(status)

        for name, status in (("SIGINT", 0), ("SIGTERM", 143), ("SIGHUP", 129)):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is None or (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):  # nohup
                continue
            with suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt
                asyncio.get_running_loop().add_signal_handler(number, end, status)
        try:
            await web.TCPSite(runner, self.address, self.port).start()
        except OSError as error:
            await runner.cleanup()
            raise UsageError(
                f"cannot listen on {self.host} port {self.port} ({error.strerror}); "
                "--port takes another (0: any free one)"
            ) from error
        try:
            tell(self.url(runner.addresses[0][1]))
            return await ended
        finally:
            await runner.cleanup()

    def url(self, port: int) -> str:
        address = literal_address(self.host)
        name = (
            socket.gethostname()
            if address and address.is_unspecified
            else f"[{self.host}]"
            if address and address.version == 6
            else self.host
        )
        return f"http://{name}:{port}{self.prefix}/"


def _closing(opened: web.WebSocketResponse) -> Callable[[], Awaitable[None]]:
    async def close() -> None:
        await opened.close()

    return close


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    for name, value in HEADERS.items():
        response.headers[name] = value.replace("{host}", request.host)


def bounded(cells: str | int) -> int:
    """A width or height that a page asks for, as it gets it. Raises ValueError, TypeError."""
    return min(max(int(cells), MIN_CELLS), MAX_CELLS)


def closed_paste(data: bytes) -> bytes:
    """What a page sent at once; of a paste, the last mark of an end alone is one. The page puts the marks
    around what was copied, which may hold some of its own: what follows them would be read as keys.
    """
    start, end = START.encode(), END.encode()
    text, last, keys = data.removeprefix(start).rpartition(end)
    if not data.startswith(start) or not last:
        return data
    return start + text.replace(end, b" ") + last + keys


def literal_address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a text is, or None for a name."""
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def resolved(host: str) -> tuple[str, bool]:
    """(the address of this machine to listen on, whether only this machine reaches it). Raises UsageError."""
    try:
        found = socket.getaddrinfo(
            host or None, 0, type=socket.SOCK_STREAM, flags=0 if host else socket.AI_PASSIVE
        )
    except OSError as error:
        raise UsageError(f"--host {host}: no such address ({error.strerror})") from error
    address = str(min(found, key=lambda one: one[0] is not socket.AF_INET)[4][0])
    return address, ipaddress.ip_address(address.partition("%")[0]).is_loopback
