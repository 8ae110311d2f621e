"""An endpoint, against a real HTTP server: what is sent, what is taken, and how every failure ends in one line."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.support.llm_server import GOOD, Server, never, says, sends
from torchwhy import UsageError
from torchwhy.errors import EndpointError
from torchwhy.llm import endpoint as endpoints
from torchwhy.llm.choose import required
from torchwhy.llm.endpoint import MAX_RESPONSE_BYTES, Endpoint, complete, configured

pytestmark = pytest.mark.promise(5)

TWICE = "RuntimeError: Trying to backward through the graph a second time"
MESSAGES = [{"role": "system", "content": "Choose."}, {"role": "user", "content": "why?"}]


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def endpoint(server: Server, seconds: float = 20.0, **more: Any) -> Endpoint:
    return Endpoint(server.url, "tiny", "sk-key-of-the-test", seconds, **more)


def test_a_key_that_comes_back_in_an_answer_is_not_shown(server: Server) -> None:
    said = {"choices": [{"message": {"content": f"{GOOD} Your key: sk-key-of-the-test."}}]}
    server.reply = sends(json.dumps(said).encode())
    shown = complete(endpoint(server), MESSAGES)
    assert "sk-key" not in shown and "Your key: " in shown and "redacted" in shown


def test_what_is_sent_and_what_comes_back(server: Server) -> None:
    options = {"temperature": None, "max_tokens": 300, "model": "x"}
    assert complete(endpoint(server, options=options), MESSAGES) == GOOD
    ((path, headers, body),) = server.requests
    assert path == "/v1/chat/completions" and headers["authorization"] == "Bearer sk-key-of-the-test"
    assert body == {"model": "tiny", "stream": False, "max_tokens": 300, "messages": MESSAGES}


def drip_body(server: Server) -> Callable[[BaseHTTPRequestHandler], None]:
    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not server.over.wait(0.05):
            handler.wfile.write(b" ")

    return reply


@pytest.mark.parametrize("how", [never, drip_body])
def test_a_slow_server_is_left(
    server: Server, how: Callable[[Server], Callable[[BaseHTTPRequestHandler], None]]
) -> None:
    server.reply = how(server)
    started = time.monotonic()
    with pytest.raises(EndpointError, match=r"did not answer within 1 s"):
        complete(endpoint(server, 1), MESSAGES)
    assert time.monotonic() - started < 5


def huge(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(64):
        handler.wfile.write(b"x" * MAX_RESPONSE_BYTES)


UNUSABLE = {
    "500": (
        sends(b'{"error": "no \x1b[31mroom for sk-key-of-the-test"}', 500),
        r"HTTP 500: .*no .*room for <redacted>",
    ),
    "401": (sends(b"", 401), r"HTTP 401$"),
    "html": (sends(b"<html>"), r"did not answer with JSON"),
    "nothing": (sends(b""), r"did not answer with JSON"),
    "deep": (sends(b"[" * 100_000), r"did not answer with JSON"),
    "bytes": (sends(b"\xff\xfe"), r"did not answer with JSON"),
    "no-choice": (sends(b'{"choices": []}'), r"without choices"),
    "list": (sends(b"[1]"), r"without choices"),
    "null": (says(None), r"without text"),
    "huge": (huge, r"larger than 1 MiB"),
    "closed": (lambda handler: handler.connection.close(), r"^127\.0\.0\.1:\d+: "),
}


@pytest.mark.parametrize(("reply", "reason"), UNUSABLE.values(), ids=UNUSABLE)
def test_words_that_cannot_be_used(
    server: Server, reply: Callable[[BaseHTTPRequestHandler], None], reason: str
) -> None:
    server.reply = reply
    with pytest.raises(EndpointError, match=reason) as caught:
        complete(endpoint(server), MESSAGES)
    text = str(caught.value)
    assert "\n" not in text and "\x1b" not in text and "sk-key" not in text and len(text) < 400


def test_nobody_listens() -> None:
    made = Server()
    made.close()
    with pytest.raises(EndpointError, match="refused"):
        complete(endpoint(made), MESSAGES)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(server: Server, status: int) -> None:
    other = Server()
    server.reply = sends(b"", status, Location=other.url + "/chat/completions")
    with pytest.raises(EndpointError, match=f"redirects .HTTP {status}."):
        complete(endpoint(server), MESSAGES)
    assert other.requests == []
    other.close()


def test_a_proxy_is_not_told_of_this_machine(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = Server()
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, proxy.url)
    monkeypatch.delenv("no_proxy", raising=False)
    assert complete(endpoint(server), MESSAGES) == GOOD
    assert proxy.requests == []
    by_another_name = server.url.replace("127.0.0.1", "0.0.0.0")
    assert complete(replace(endpoint(server), url=by_another_name), MESSAGES) == GOOD
    assert proxy.requests == []
    proxy.close()


@pytest.mark.parametrize(
    ("host", "here"),
    [
        *((name, True) for name in ("localhost", "LOCALHOST.", "127.0.0.1", "0.0.0.0", "[::1]")),
        *((name, True) for name in ("[::]", "a.localhost")),
        *(
            (name, False)
            for name in ("10.0.0.1", "example.com", "localhost.example.com", "[2001:db8::1]", "1")
        ),
    ],
)
def test_names_of_this_machine(host: str, here: bool) -> None:
    assert endpoints._is_loopback(f"http://{host}:1/v1") is here


def test_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert configured({}) is None and configured({"TORCHWHY_LLM_KEY": "k"}) is None
    good = {"TORCHWHY_LLM_URL": "https://llm.example/v1/", "TORCHWHY_LLM_MODEL": "m"}
    found = configured({**good, "TORCHWHY_LLM_OPTIONS": '{"max_tokens": 5}'})
    assert (
        found is not None
        and found.target == "https://llm.example/v1/chat/completions"
        and found.host == "llm.example"
        and found.options == {"max_tokens": 5}
    )
    assert (
        configured({**good, "TORCHWHY_LLM_URL": "http://h/v1/chat/completions"}).target
        == "http://h/v1/chat/completions"
    )  # type: ignore[union-attr]
    unusable = {
        "URL": ("", "ftp://h/v1", "file:///etc/passwd", "localhost:11434", "http://h:port/", "http://[::1/")
        + ("http://me:pass@h/v1",),
        "MODEL": ("",),
        "SECONDS": ("soon", "0", "nan"),
        "OPTIONS": ("[]", "{"),
        "KEY": ("a b", "a\nb: c"),
    }
    for name, value in ((name, value) for name, values in unusable.items() for value in values):
        with pytest.raises(UsageError) as caught:
            configured({**good, f"TORCHWHY_LLM_{name}": value})
        assert "pass@" not in str(caught.value) and "a b" not in str(caught.value)
    assert "sk-secret" not in repr(Endpoint("http://h", "m", "sk-secret"))
    with pytest.raises(UsageError, match="no model is configured"):
        required()


def test_nothing_of_it_is_imported_unasked() -> None:
    import subprocess
    import sys

    code = f"from torchwhy.cli import main\nassert main([{TWICE!r}]) == 0\nimport sys\nprint(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=dict(os.environ),
    )
    assert not {
        "torchwhy.llm.endpoint",
        "urllib.request",
        "http.client",
        "torchwhy.text.exits",
    } & set(done.stdout.split())
