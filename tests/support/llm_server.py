"""A server that answers like an OpenAI-compatible endpoint, or in any other way that a test wants."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD = "Two backward passes share one graph [backward-twice]. Use `hidden.detach()`."


class Server:
    """A server in a thread. `requests` is what it received; `reply` what it does."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.reply: Callable[[BaseHTTPRequestHandler], None] = says(GOOD)
        self.over = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(
                    (self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                )
                try:
                    outer.reply(self)
                except (BrokenPipeError, ConnectionResetError):
                    pass

            def do_GET(self) -> None:
                outer.requests.append((self.path, dict(self.headers.items()), {}))
                self.send_error(404)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"
        threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.over.set()
        self.http.shutdown()
        self.http.server_close()


def sends(data: bytes, status: int = 200, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return reply


def says(text: Any) -> Callable[[BaseHTTPRequestHandler], None]:
    return sends(json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode())


def never(server: Server) -> Callable[[BaseHTTPRequestHandler], None]:
    return lambda _: server.over.wait(60) and None
