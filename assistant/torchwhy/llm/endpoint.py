"""An OpenAI-compatible endpoint (Ollama, vLLM, a company's own): its settings, and one bounded request to it.

Nothing here runs unless TORCHWHY_LLM_URL and TORCHWHY_LLM_MODEL are set and somebody asks for a choice.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from torchwhy.errors import EndpointError, UsageError
from torchwhy.runtime import settings
from torchwhy.text.plain import plain
from torchwhy.text.whereabouts import MARK

MAX_RESPONSE_BYTES = 1 << 20  # that are read; an answer has some thousand
MAX_ERROR_BYTES = 4000  # of an error page
MAX_REASON_CHARS = 200
MIN_KEY_CHARS = 10  # of a key that is taken out of a reply; a local model wants any word
HOW = "set TORCHWHY_LLM_URL (such as http://localhost:11434/v1) and TORCHWHY_LLM_MODEL"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint. `seconds` bounds each wait, and the response; `options` are merged into
    the request (a value of None removes a field).
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


def complete(endpoint: Endpoint, messages: Sequence[Mapping[str, str]]) -> str:
    """The model's reply to these messages, without the endpoint's key. Raises EndpointError: of a server that
    is silent, or has not told all, after `endpoint.seconds`.
    """
    body = {
        "temperature": 0,
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
    try:
        read = _exchange(request, endpoint)
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise EndpointError(_reason(error, endpoint)) from error
    content = _content(read, endpoint)
    # `EMPTY` and its like are no secrets
    return content.replace(endpoint.key, MARK) if len(endpoint.key) >= MIN_KEY_CHARS else content


def _exchange(request: urllib.request.Request, endpoint: Endpoint) -> bytes:
    """One request and its whole response, past any proxy where it is this machine's. Raises OSError,
    ValueError, HTTPException, EndpointError.
    """
    end = time.monotonic() + endpoint.seconds
    handlers: list[urllib.request.BaseHandler] = [_NoRedirect()]
    if _is_loopback(endpoint.url):
        handlers.append(urllib.request.ProxyHandler({}))
    with urllib.request.build_opener(*handlers).open(request, timeout=endpoint.seconds) as response:
        read = bytearray()
        while piece := response.read1(1 << 16):
            read += piece
            if len(read) > MAX_RESPONSE_BYTES:
                raise EndpointError(f"the response is larger than {MAX_RESPONSE_BYTES >> 20} MiB")
            if time.monotonic() > end:
                raise TimeoutError
        return bytes(read)


def _is_loopback(url: str) -> bool:
    """Whether an address is this machine's, also 0.0.0.0, where a server was told to listen."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def _content(data: bytes, endpoint: Endpoint) -> str:
    """The message of the first choice. Raises EndpointError."""
    try:
        found = json.loads(data)
        content = found["choices"][0]["message"]["content"]
    except (ValueError, RecursionError):
        raise EndpointError(f"{endpoint.host} did not answer with JSON") from None
    except (KeyError, IndexError, TypeError):
        raise EndpointError(f"{endpoint.host} answered without choices[0].message.content") from None
    if not isinstance(content, str):
        raise EndpointError(f"{endpoint.host} answered without text")
    return content


def _reason(error: Exception, endpoint: Endpoint) -> str:
    """Why there is no answer, in one line."""
    inner = error.reason if type(error) is urllib.error.URLError else error
    if isinstance(inner, TimeoutError):
        return f"{endpoint.host} did not answer within {endpoint.seconds:g} s"
    if not isinstance(error, urllib.error.HTTPError):
        return f"{endpoint.host}: {_line(str(inner), endpoint) or type(inner).__name__}"
    with error:
        if 300 <= error.code < 400:
            return (
                f"{endpoint.host} redirects (HTTP {error.code}), which is not followed;"
                " set TORCHWHY_LLM_URL to the final address"
            )
        with suppress(OSError, ValueError, http.client.HTTPException):
            page = error.read(MAX_ERROR_BYTES).decode("utf-8", "replace")
            if len(page) >= MAX_ERROR_BYTES:
                page = page.rpartition(" ")[0]  # a word that was cut may be half a key
            if said := _line(page, endpoint):
                return f"{endpoint.host} answered HTTP {error.code}: {said}"
    return f"{endpoint.host} answered HTTP {error.code}"


def _line(text: str, endpoint: Endpoint) -> str:
    """One line of foreign text, redacted before it is cut: a server may repeat the key and the prompt."""
    from torchwhy.text.exits import kept

    text = plain(text)
    if endpoint.key:
        text = text.replace(endpoint.key, MARK)
    return " ".join(kept(text).split())[:MAX_REASON_CHARS]
