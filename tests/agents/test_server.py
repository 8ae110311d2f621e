"""The server by its SDK's own client: over stdio and over HTTP, in both generations of the protocol."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("mcp.server.mcpserver", reason="the extra mcp is not installed")

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult, ResourceTemplateReference

from assistant import Assistant
from assistant.knowledge.script_hashes import file_hash
from assistant.proof.trust import remember
from tests.conftest import ROOT, write_entry
from tests.support.scripts import GOOD, script

SETTLED = "RuntimeError: Trying to backward through the graph a second time"
TOKEN = "a-token-of-this-test-alone"
MODES = ("auto", "legacy")  # today's protocol, and the one before it with its handshake


def server(*words: str) -> StdioServerParameters:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return StdioServerParameters(command=sys.executable, args=["-m", "assistant", "mcp", *words], env=env)


def text_of(result: Any) -> str:
    return "".join(block.text for block in result.content)


class User:
    """Answers what the server asks, and keeps the question."""

    def __init__(self, action: str, content: dict[str, Any] | None = None) -> None:
        self.action, self.content, self.asked = action, content, ""

    async def __call__(self, context: Any, params: Any) -> ElicitResult:
        self.asked += params.message
        return ElicitResult(action=self.action, content=self.content)


@pytest.fixture
def own_kb(tmp_path: Path, own_data: None) -> Path:
    """A knowledge base of one entry that did not come with torchwhy."""
    write_entry(tmp_path / "kb", repro=script(GOOD))
    return tmp_path / "kb"


@pytest.mark.parametrize("mode", MODES)
def test_what_is_offered_and_answered(mode: str, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text(f"{SETTLED}, zorkium", "utf-8")
    train = tmp_path / "train.py"
    train.write_text("import torch\nx = torch.zeros(3)\nx.cuda()\nprint(x + 1)\n", "utf-8")

    async def talk() -> None:
        async with Client(server("--no-vectors"), mode=mode) as client:
            tools = (await client.list_tools()).tools
            assert {tool.name for tool in tools} == {
                "diagnose",
                "search",
                "show",
                "check",
                "machine",
                "confirm",
            }
            assert [tool.name for tool in tools if not tool.annotations.read_only_hint] == ["confirm"]
            for words in ({"text": f"{SETTLED}, zorkium"}, {"file": str(log)}):
                told = text_of(await client.call_tool("diagnose", words))
                assert "hidden = hidden.detach()" in told
                assert ("zorkium" in told) == ("text" in words), "of a file it hears what others may"
            assert "- backward-twice: " in text_of(await client.call_tool("search", {"words": SETTLED}))
            checked = await client.call_tool("check", {"paths": [str(train)]})
            assert "train.py:3: wrong: " in text_of(checked) and "[tensor-cuda-not-inplace]" in text_of(
                checked
            )
            shown = await client.call_tool("show", {"id": "backward-twice", "sections": ["sources"]})
            assert "## Sources" in text_of(shown)
            assert "## Fix" not in text_of(shown)
            wrong = await client.call_tool("show", {"id": "backward-twic"})
            assert wrong.is_error
            assert "did you mean backward-twice" in text_of(wrong)
            refused = await client.call_tool("diagnose", {"file": str(tmp_path)})
            assert refused.is_error
            assert "no regular file" in text_of(refused)

    asyncio.run(talk())


def test_entries_are_resources_whose_ids_are_completed() -> None:
    async def talk() -> None:
        async with Client(server("--no-vectors")) as client:
            page = (await client.read_resource("torchwhy://pitfall/backward-twice")).contents[0].text
            assert "## Fix" in page
            listed = (await client.read_resource("torchwhy://pitfalls")).contents[0].text
            assert "\nbackward-twice: " in listed
            template = (await client.list_resource_templates()).resource_templates[0].uri_template
            reference = ResourceTemplateReference(type="ref/resource", uri=template)
            found = await client.complete(reference, {"name": "id", "value": "backward-tw"})
            assert found.completion.values == ["backward-twice"]
            with pytest.raises(Exception, match="no such entry"):
                await client.read_resource("torchwhy://pitfall/none-such")
            token = "hf_" + "aBcDeFgHiJ" * 3 + "kLmN"
            prompt = await client.get_prompt("why", {"error": f"export HF_TOKEN={token}\n{SETTLED}"})
            told = prompt.messages[0].content.text
            assert SETTLED in told and token not in told, "what a prompt says goes to a model"

    asyncio.run(talk())


@pytest.mark.parametrize("mode", MODES)
def test_a_client_that_cannot_ask_runs_nothing(mode: str) -> None:
    async def talk() -> None:
        async with Client(server("--no-vectors"), mode=mode) as client:
            refused = await client.call_tool("confirm", {"id": "backward-twice"})
            assert refused.is_error
            assert "torchwhy confirm backward-twice" in text_of(refused)

    asyncio.run(talk())


@pytest.mark.parametrize(
    "user",
    [User("decline"), User("cancel"), User("accept", {"run": False})],
    ids=["decline", "cancel", "untick"],
)
def test_a_no_runs_nothing(user: User) -> None:
    async def talk() -> None:
        async with Client(server("--no-vectors"), elicitation_callback=user) as client:
            refused = await client.call_tool("confirm", {"id": "backward-twice"})
            assert refused.is_error
            assert "nothing was run" in text_of(refused)
            assert "repro.py (SHA-256 " in user.asked

    asyncio.run(talk())


def test_a_script_that_nobody_trusted_is_not_even_asked_about(own_kb: Path) -> None:
    user = User("accept", {"run": True})

    async def talk() -> None:
        async with Client(server("--no-vectors", "--kb", str(own_kb)), elicitation_callback=user) as client:
            refused = await client.call_tool("confirm", {"id": "made-up"})
            assert refused.is_error
            assert "torchwhy confirm made-up --trust" in text_of(refused)
            assert user.asked == ""

    asyncio.run(talk())


@pytest.mark.parametrize("mode", MODES)
def test_a_trusted_script_runs_after_a_yes(mode: str, own_kb: Path) -> None:
    entry = Assistant(str(own_kb), vectors=False).pitfall("made-up")
    assert entry.repro is not None
    remember(entry, file_hash(entry.repro))
    user = User("accept", {"run": True})

    async def talk() -> None:
        words = ("--no-vectors", "--kb", str(own_kb), "--python", sys.executable)
        async with Client(server(*words), elicitation_callback=user, mode=mode) as client:
            told = text_of(await client.call_tool("confirm", {"id": "made-up"}))
            assert told.startswith("verdict: reproduces-here\n"), told
            assert user.asked.count("made-up") >= 1

    asyncio.run(talk())


@contextmanager
def serving(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a server over HTTP, and its process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "assistant", "mcp", "--http", "--port", "0", "--no-vectors"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TORCHWHY_MCP_TOKEN": TOKEN},
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process
    finally:
        process.kill()
        process.communicate()


def status(url: str, headers: dict[str, str]) -> int:
    request = urllib.request.Request(url, b"{}", {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_what_a_client_cut_in_two_or_forgot_is_answered() -> None:
    """A client of JavaScript may cut a character in two: half of one is JSON that not every reader takes."""

    def call(number: int, method: str, params: dict[str, Any]) -> str:
        return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def diagnose(number: int, text: str) -> str:
        return call(number, "tools/call", {"name": "diagnose", "arguments": {"text": text}})

    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    said = [
        call(1, "initialize", start),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        diagnose(2, f"{SETTLED} \ud83d"),
        diagnose(3, f"{SETTLED} \udc00\ud83d \\ud83d 😀"),
        call(4, "prompts/get", {"name": "why", "arguments": {}}),
        call(5, "prompts/get", {"name": "no such \x1b[31m", "arguments": {}}),
    ]
    answers: dict[int, Any] = {}
    with subprocess.Popen(
        [sys.executable, "-m", "assistant", "mcp", "--no-vectors"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        timer = threading.Timer(60, process.kill)  # the end of its output ends the wait
        timer.start()
        process.stdin.write("".join(f"{line}\n" for line in said))
        process.stdin.flush()
        while len(answers) < 5 and (line := process.stdout.readline()):
            answer = json.loads(line)
            answers[answer["id"]] = answer
        timer.cancel()
        process.stdin.close()
        errors = process.stderr.read()
    assert process.returncode == 0
    for number in (2, 3):
        assert "an earlier backward() has" in answers[number]["result"]["content"][0]["text"]
    assert "error" in answers[4] and "error" in answers[5]
    assert not errors


def test_over_http_behind_the_token(tmp_path: Path) -> None:
    async def talk(url: str) -> None:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            told = text_of(await client.call_tool("diagnose", {"text": SETTLED}))
            assert "hidden = hidden.detach()" in told

    with serving(tmp_path) as (url, process):
        assert url.startswith("http://127.0.0.1:")
        for headers in ({}, {"Authorization": "Bearer another"}, {"Authorization": TOKEN}):
            assert _first_status(url, headers) == 401
        known = {"Authorization": f"Bearer {TOKEN}"}
        assert status(url, {**known, "Host": "evil.example"}) in (403, 421)
        assert status(url, {**known, "Origin": "https://evil.example"}) in (403, 421)
        asyncio.run(talk(url))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert TOKEN not in said
        assert "Traceback" not in said


def test_what_comes_without_the_token_says_nothing_on_the_terminal(tmp_path: Path) -> None:
    with serving(tmp_path) as (url, process):
        assert _first_status(url, {}) == 401
        place = urlsplit(url)
        upgrade = (
            f"GET /mcp HTTP/1.1\r\nHost: {place.netloc}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        )
        for words in (upgrade, "nonsense\r\n\r\n", "\x16\x03\x01\r\n\r\n"):
            with socket.create_connection((place.hostname, place.port), 30) as opened:
                opened.sendall(words.encode())
                assert opened.recv(100).startswith(b"HTTP/1.1 4")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        own = {"", "torchwhy: Authorization: Bearer $TORCHWHY_MCP_TOKEN", "torchwhy: interrupted"}
        assert set(said.split("\n")) <= own


def test_its_address_is_one_that_listens() -> None:
    """Who reads the line may ask at once: the call waits until the server takes it."""
    from assistant.agents.http import HOST, listening

    with listening(0) as opened:
        socket.create_connection((HOST, opened.getsockname()[1]), 10).close()


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of open files is set for another process")
@pytest.mark.parametrize("ending", ["", "\r\n\r\n{"], ids=["half a head", "half a body"])
def test_connections_that_ask_for_nothing_shut_nobody_out(tmp_path: Path, ending: str) -> None:
    """Whoever is on this machine can open them, without the token."""
    import resource

    with serving(tmp_path) as (url, process):
        assert _first_status(url, {}) == 401
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (256, 256))
        place = urlsplit(url)
        head = f"POST {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: 1000\r\nX: y{ending}"
        held = [socket.create_connection((place.hostname, place.port), 30) for _ in range(200)]
        try:
            for _ in range(200):
                held.append(socket.create_connection((place.hostname, place.port), 30))
                with suppress(OSError):
                    held[-1].sendall(head.encode())
            assert status(url, {}) == 401
        finally:
            for each in held:
                each.close()
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert "Traceback" not in process.communicate(timeout=60)[1]


def _first_status(url: str, headers: dict[str, str]) -> int:
    """The status, once the server listens: its address is printed a moment before."""
    import time

    for _ in range(300):
        try:
            return status(url, headers)
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError("the server never answered")


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--port", "1"], "--port goes with --http"), (["--http", "--port", "70000"], "wanted 0 to 65535")],
)
def test_options_that_mean_nothing(torchwhy: Any, words: list[str], said: str) -> None:
    done = torchwhy("mcp", *words)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_short_token_is_refused(torchwhy: Any) -> None:
    done = torchwhy("mcp", "--http", "--port", "0", env={"TORCHWHY_MCP_TOKEN": "short"})
    assert done.returncode == 2
    assert "at least 16 characters" in done.stderr
