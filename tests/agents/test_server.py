"""The server by its SDK's own client: over stdio, in both generations of the protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp.server.mcpserver", reason="the extra mcp is not installed")

from mcp import Client, StdioServerParameters
from mcp_types import ElicitResult

from tests.conftest import ROOT, write_entry
from tests.support.scripts import GOOD, script
from torchwhy import Assistant
from torchwhy.knowledge.script_hashes import file_hash
from torchwhy.proof.trust import remember

SETTLED = "RuntimeError: Trying to backward through the graph a second time"
pytestmark = pytest.mark.anyio

MODES = ("auto", "legacy")  # today's protocol, and the one before it with its handshake


def server(*words: str) -> StdioServerParameters:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "assistant")}
    return StdioServerParameters(command=sys.executable, args=["-m", "torchwhy", "mcp", *words], env=env)


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
def own_kb(tmp_path: Path, own_data: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A knowledge base of one entry that did not come with torchwhy, and something to run it by."""
    monkeypatch.setenv("TORCHWHY_RUNNER", "env")
    write_entry(tmp_path / "kb", repro=script(GOOD))
    return tmp_path / "kb"


@pytest.mark.parametrize("mode", MODES)
async def test_what_is_offered_and_answered(mode: str, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text(f"{SETTLED}, zorkium", "utf-8")
    train = tmp_path / "train.py"
    train.write_text("import torch\nx = torch.zeros(3)\nx.cuda()\nprint(x + 1)\n", "utf-8")
    async with Client(server("--no-vectors"), mode=mode) as client:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == {
            "diagnose",
            "candidates",
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
        near = text_of(await client.call_tool("candidates", {"text": "the loss is nan after a while"}))
        assert len(near.splitlines()) == 20 and "- nan-loss: " in near and len(near) <= 4 * 1500
        checked = await client.call_tool("check", {"paths": [str(train)]})
        assert "train.py:3: wrong: " in text_of(checked) and "[tensor-cuda-not-inplace]" in text_of(checked)
        shown = await client.call_tool("show", {"id": "backward-twice", "sections": ["sources"]})
        assert "## Sources" in text_of(shown)
        assert "## Fix" not in text_of(shown)
        wrong = await client.call_tool("show", {"id": "backward-twic"})
        assert wrong.is_error
        assert "did you mean backward-twice" in text_of(wrong)
        refused = await client.call_tool("diagnose", {"file": str(tmp_path)})
        assert refused.is_error
        assert "no regular file" in text_of(refused)


async def test_entries_are_resources() -> None:
    async with Client(server("--no-vectors")) as client:
        page = (await client.read_resource("torchwhy://pitfall/backward-twice")).contents[0].text
        assert "## Fix" in page
        listed = (await client.read_resource("torchwhy://pitfalls")).contents[0].text
        assert "\nbackward-twice: " in listed
        with pytest.raises(Exception, match="no such entry"):
            await client.read_resource("torchwhy://pitfall/none-such")
        token = "hf_" + "aBcDeFgHiJ" * 3 + "kLmN"
        prompt = await client.get_prompt("why", {"error": f"export HF_TOKEN={token}\n{SETTLED}"})
        told = prompt.messages[0].content.text
        assert SETTLED in told and token not in told, "what a prompt says goes to a model"


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_that_cannot_ask_runs_nothing(mode: str) -> None:
    async with Client(server("--no-vectors"), mode=mode) as client:
        refused = await client.call_tool("confirm", {"id": "backward-twice"})
        assert refused.is_error
        assert "torchwhy confirm backward-twice" in text_of(refused)


@pytest.mark.parametrize(
    "user",
    [User("decline"), User("cancel"), User("accept", {"run": False})],
    ids=["decline", "cancel", "untick"],
)
async def test_a_no_runs_nothing(user: User) -> None:
    async with Client(server("--no-vectors"), elicitation_callback=user) as client:
        refused = await client.call_tool("confirm", {"id": "backward-twice"})
        assert refused.is_error
        assert "nothing was run" in text_of(refused)
        assert "repro.py (SHA-256 " in user.asked


async def test_a_script_that_nobody_trusted_is_not_even_asked_about(own_kb: Path) -> None:
    user = User("accept", {"run": True})
    async with Client(server("--no-vectors", "--kb", str(own_kb)), elicitation_callback=user) as client:
        refused = await client.call_tool("confirm", {"id": "made-up"})
        assert refused.is_error
        assert "torchwhy confirm made-up --trust" in text_of(refused)
        assert user.asked == ""


async def test_a_script_that_nothing_shuts_in_is_not_asked_about(
    own_kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TORCHWHY_RUNNER")
    monkeypatch.setenv("PATH", str(own_kb))
    user = User("accept", {"run": True})
    async with Client(server("--no-vectors", "--kb", str(own_kb)), elicitation_callback=user) as client:
        refused = await client.call_tool("confirm", {"id": "made-up"})
        assert refused.is_error
        assert "TORCHWHY_RUNNER" in text_of(refused) and "--trust" not in text_of(refused)
        assert user.asked == ""


@pytest.mark.parametrize("mode", MODES)
async def test_a_trusted_script_runs_after_a_yes(mode: str, own_kb: Path) -> None:
    entry = Assistant(str(own_kb), vectors=False).pitfall("made-up")
    assert entry.repro is not None
    remember(entry.repro, file_hash(entry.repro))
    user = User("accept", {"run": True})
    words = ("--no-vectors", "--kb", str(own_kb), "--python", sys.executable)
    async with Client(server(*words), elicitation_callback=user, mode=mode) as client:
        told = text_of(await client.call_tool("confirm", {"id": "made-up"}))
        assert told.startswith("verdict: reproduces-here\n"), told
        assert user.asked.count("made-up") >= 1


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
        [sys.executable, "-m", "torchwhy", "mcp", "--no-vectors"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "assistant")},
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
