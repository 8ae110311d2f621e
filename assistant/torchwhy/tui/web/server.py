"""The chat in a browser: textual-serve's terminal and protocol, for whoever has the token.

Needs the extra `web`. The token is the first part of every address (not a cookie: browsers send cookies to
every port of a host, and so to the programs of other users of a shared machine). It ends with the server.
"""

import asyncio
import hmac
import logging
import re
import secrets
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from string import Template

from aiohttp import web
from textual_serve.server import Server

from torchwhy.text.phrases import phrase

PAGE_FOLDER = Path(__file__).parent
LOOPBACK = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?")  # a Host header, of any port: `ssh -L`
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class ChatServer(Server):
    """Serves what `command`, a line of the shell, starts: a process for each tab of a browser."""

    def __init__(self, command: str, lang: str) -> None:
        super().__init__(command)
        self.lang, self.token = lang, secrets.token_urlsafe(32)

    async def listen(self, opened: socket.socket) -> None:
        """Serve on a socket of loopback until this is cancelled."""
        logging.disable()  # what comes without the token writes nothing on the terminal
        app = web.Application(middlewares=[self.guard])
        here = f"/{self.token}"
        app.router.add_get(f"{here}/", self.handle_index)
        app.router.add_get(f"{here}/ws", self.handle_websocket)
        app.router.add_get(f"{here}/download/{{key}}", self.handle_download)
        app.router.add_static(f"{here}/page", PAGE_FOLDER)
        app.router.add_static(f"{here}/static", self.statics_path)
        # no body is read here, and one that comes without the token can unpack to gigabytes
        runner = web.AppRunner(app, access_log=None, auto_decompress=False)
        await runner.setup()
        await web.SockSite(runner, opened).start()
        await asyncio.Event().wait()

    @web.middleware
    async def guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """403 without the token, by a foreign name (DNS rebinding), and from another site's page."""
        first = request.path.removeprefix("/").partition("/")[0].encode("utf-8", "replace")
        own = request.headers.get("Origin", f"http://{request.host}") == f"http://{request.host}"
        if not (hmac.compare_digest(first, self.token.encode()) and own and LOOPBACK.fullmatch(request.host)):
            text = "Open the whole address that `torchwhy chat --web` printed.\n"
            raise web.HTTPForbidden(text=text, headers=HEADERS)
        response = await handler(request)
        response.headers.update(HEADERS)
        return response

    async def handle_index(self, request: web.Request) -> web.StreamResponse:  # type: ignore[override]
        words = {key: phrase(f"web_{key}", self.lang) for key in ("ended", "again", "opening", "large")}
        page = Template((PAGE_FOLDER / "index.html").read_text("utf-8")).substitute(words, lang=self.lang)
        return web.Response(text=page, content_type="text/html")
