"""Streamable HTTP on loopback, for whoever has the token.

The SDK's own application checks the names of host and origin (DNS rebinding); this checks the token first.
"""

from __future__ import annotations

import hmac
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from assistant.errors import UsageError

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

HOST, PORT, PATH = "127.0.0.1", 8766, "/mcp"
MAX_SILENT, MAX_WAITING = 100, 50  # connections without a request, and those that are not yet accepted
MIN_TOKEN_CHARS = 16  # of a token that the user chose
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def guarded(app: App, token: str) -> App:
    """The application, which answers 401 to a request without `Authorization: Bearer TOKEN`."""
    wanted = f"Bearer {token}".encode()

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = [value for name, value in scope["headers"] if name.lower() == b"authorization"]
            if len(given) != 1 or not hmac.compare_digest(given[0], wanted):
                await _refuse(send)
                return
        await app(scope, receive, send)

    return guard


async def _refuse(send: Send) -> None:
    # closed, since the body that may come is not awaited
    headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 401, "headers": headers})
    await send({"type": "http.response.body", "body": b"the token is missing or another one\n"})


def listening(port: int) -> socket.socket:
    """A socket of loopback; port 0 takes any free one. Raises UsageError for one that is taken."""
    if not 0 <= port <= 65535:
        raise UsageError(f"--port {port}: wanted 0 to 65535")
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        opened.bind((HOST, port))
        opened.listen(MAX_WAITING)  # its address is printed before the server runs
    except OSError as error:
        opened.close()
        raise UsageError(f"--port {port}: {error.strerror}") from error
    return opened


def bounded_protocol() -> type[Any]:
    """uvicorn's protocol, which closes the oldest of the connections that have asked for nothing yet where
    there are too many: they need no token, and would take all files that a process may open.
    """
    from uvicorn.protocols.http.h11_impl import H11Protocol

    silent: dict[Any, None] = {}  # the oldest first

    class Bounded(H11Protocol):  # type: ignore[misc]
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            silent[self] = None
            if len(silent) > MAX_SILENT:
                oldest = next(iter(silent))
                del silent[oldest]
                oldest.transport.abort()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is not None:
                silent.pop(self, None)

        def connection_lost(self, exc: Exception | None) -> None:
            silent.pop(self, None)
            super().connection_lost(exc)

    return Bounded


def serve(server: MCPServer, opened: socket.socket, token: str) -> None:
    """Answer until Ctrl-C or SIGTERM."""
    import uvicorn

    app = guarded(server.streamable_http_app(host=HOST, streamable_http_path=PATH), token)
    # its warnings are about what anybody of this machine sends, token or not; nothing here is a websocket,
    # which the guard would not see
    config = uvicorn.Config(
        app, log_level="error", access_log=False, http=bounded_protocol(), ws="none", backlog=MAX_WAITING
    )
    uvicorn.Server(config).run(sockets=[opened])
