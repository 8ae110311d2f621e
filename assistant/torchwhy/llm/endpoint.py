"""An OpenAI-compatible endpoint (Ollama, vLLM, a company's own): its settings, and one bounded request to it.

Nothing here runs unless TORCHWHY_LLM_URL and TORCHWHY_LLM_MODEL are set and somebody asks for a rewriting.
"""

from __future__ import annotations

import json
import re
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from torchwhy.errors import RewriteError, UsageError
from torchwhy.runtime import settings
from torchwhy.text.plain import plain
from torchwhy.text.whereabouts import MARK

MAX_RESPONSE_BYTES = 1 << 20  # that are read; an answer has some thousand
MAX_ERROR_BYTES = 4000  # of an error page
# where a server of one's own listens: no proxy is asked for it
THIS_MACHINE = ("localhost", "127.0.0.1", "0.0.0.0", "::1", "::")  # noqa: S104
MAX_REASON_CHARS = 200
MIN_KEY_CHARS = 10  # of a key that is taken out of a reply; a local model wants any word
HOW = "set TORCHWHY_LLM_URL (such as http://localhost:11434/v1) and TORCHWHY_LLM_MODEL"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint. `seconds` bounds the whole exchange; `options` are merged into the
    request (a value of None removes a field).
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    seconds: float = float(settings.LLM_SECONDS.default)
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc.rpartition("@")[2]

    @property
    def target(self) -> str:
        """The address of the request: `url` is the API's base, or already that address."""
        base = self.url.rstrip("/")
        return base if base.endswith("/chat/completions") else f"{base}/chat/completions"


def configured(env: Mapping[str, str] | None = None) -> Endpoint | None:
    """The endpoint of the settings, or None where none is set. Raises UsageError for settings that cannot be
    used.
    """
    url, model = settings.LLM_URL.read(env), settings.LLM_MODEL.read(env)
    if not url and not model:
        return None
    if not url or not model:
        raise UsageError(f"a model needs both: {HOW}")
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 (raises for one that is no number)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"TORCHWHY_LLM_URL={url!r}: wanted http://host:port/v1 or https://host/v1")
    if parts.username or parts.password:
        raise UsageError("TORCHWHY_LLM_URL holds a user name or a password; give the key in TORCHWHY_LLM_KEY")
    try:
        seconds = float(settings.LLM_SECONDS.read(env))
        options = json.loads(settings.LLM_OPTIONS.read(env))
    except ValueError as error:
        raise UsageError(
            f"TORCHWHY_LLM_SECONDS wants a number, TORCHWHY_LLM_OPTIONS a JSON object: {error}"
        ) from None
    if not 0 < seconds <= 3600 or not isinstance(options, dict):
        raise UsageError(
            "TORCHWHY_LLM_SECONDS wants a number above 0 and up to 3600, TORCHWHY_LLM_OPTIONS a JSON object"
        )
    key = settings.LLM_KEY.read(env)
    if not re.fullmatch(r"[!-~]*", key):
        raise UsageError("TORCHWHY_LLM_KEY holds white space or characters beyond ASCII; a key has neither")
    return Endpoint(url, model, key, seconds, options)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: what is sent is meant for one host."""

    def redirect_request(self, *_: Any) -> None:
        return None


def complete(
    endpoint: Endpoint,
    messages: Sequence[Mapping[str, str]],
    cancelled: Callable[[], bool] | None = None,
    *,
    schema: Mapping[str, Any] | None = None,
) -> str:
    """The model's reply to these messages, without the endpoint's key; `schema`: of the JSON that is asked
    for. Raises RewriteError, at the latest after `endpoint.seconds`.

    The request runs in a thread of its own, which is abandoned if name resolution or a slow server outlasts
    the limit.
    """
    wanted = {"name": "reply", "strict": True, "schema": schema}
    body = {
        "temperature": 0,
        "response_format": {"type": "json_schema", "json_schema": wanted} if schema else None,
        **endpoint.options,
        "model": endpoint.model,
        "messages": list(messages),
        "stream": False,
    }
    data = json.dumps({name: value for name, value in body.items() if value is not None}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "torchwhy"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"

    request = urllib.request.Request(endpoint.target, data, headers, method="POST")  # noqa: S310
    end = time.monotonic() + endpoint.seconds
    came: list[bytes | RewriteError] = []

    def exchange() -> None:
        try:
            came.append(_exchange(request, end, urlsplit(endpoint.url).hostname in THIS_MACHINE))
        except Exception as error:
            came.append(RewriteError(_reason(error, endpoint)))

    thread = threading.Thread(target=exchange, daemon=True, name="rewrite")
    thread.start()
    while thread.is_alive() and time.monotonic() < end:
        thread.join(0.1)
        if cancelled is not None and cancelled():
            raise RewriteError("cancelled")
    if not came:
        raise RewriteError(_reason(TimeoutError(), endpoint))
    if isinstance(came[0], RewriteError):
        raise came[0]
    content = _content(came[0], endpoint)
    # `EMPTY` and its like are no secrets
    return content.replace(endpoint.key, MARK) if len(endpoint.key) >= MIN_KEY_CHARS else content


def _exchange(request: urllib.request.Request, end: float, direct: bool) -> bytes:
    """One request and its whole response. `direct`: past any proxy. Raises OSError,
    ValueError, RewriteError.
    """
    handlers: list[urllib.request.BaseHandler] = [_NoRedirect()]
    if direct:
        handlers.append(urllib.request.ProxyHandler({}))
    with urllib.request.build_opener(*handlers).open(
        request, timeout=max(0.1, end - time.monotonic())
    ) as response:
        read = bytearray()
        while True:
            piece = response.read1(1 << 16)
            if not piece:
                return bytes(read)
            read += piece
            if len(read) > MAX_RESPONSE_BYTES:
                raise RewriteError(f"the response is larger than {MAX_RESPONSE_BYTES >> 20} MiB")
            if time.monotonic() > end:
                raise TimeoutError


def _content(data: bytes, endpoint: Endpoint) -> str:
    """The message of the first choice. Raises RewriteError."""
    try:
        found = json.loads(data)
        content = found["choices"][0]["message"]["content"]
    except (ValueError, RecursionError):
        raise RewriteError(f"{endpoint.host} did not answer with JSON") from None
    except (KeyError, IndexError, TypeError):
        raise RewriteError(f"{endpoint.host} answered without choices[0].message.content") from None
    if not isinstance(content, str):
        raise RewriteError(f"{endpoint.host} answered without text")
    return content


def _reason(error: Exception, endpoint: Endpoint) -> str:
    """Why there is no answer, in one line."""
    if isinstance(error, RewriteError):
        return str(error)
    if isinstance(error, urllib.error.HTTPError):
        with error:
            if 300 <= error.code < 400:
                return (
                    f"{endpoint.host} redirects (HTTP {error.code}), which is not followed;"
                    " set TORCHWHY_LLM_URL to the final address"
                )
            try:
                told = _line(error.read(MAX_ERROR_BYTES).decode("utf-8", "replace"), endpoint)
            except (OSError, ValueError):
                told = ""
        return f"{endpoint.host} answered HTTP {error.code}" + (f": {told}" if told else "")
    reason = getattr(error, "reason", None)
    inner = reason if isinstance(reason, Exception) else error
    if isinstance(inner, TimeoutError):
        return f"{endpoint.host} did not answer within {endpoint.seconds:g} s"
    return f"{endpoint.host}: {_line(str(inner), endpoint) or type(inner).__name__}"


def _line(text: str, endpoint: Endpoint) -> str:
    """One line of foreign text, redacted before it is cut: a server may repeat the key and the prompt."""
    from torchwhy.text.exits import kept

    text = plain(text)
    if endpoint.key:
        text = text.replace(endpoint.key, MARK)
    return " ".join(kept(text).split())[:MAX_REASON_CHARS]
