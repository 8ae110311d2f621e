"""What others build on stays as it is until 1.0: names, signatures, commands, exit statuses, the JSON form.

A line that changes here changes in CHANGELOG.md as well.
"""

from __future__ import annotations

import inspect
import json

import pytest

import torchwhy
from torchwhy import Assistant
from torchwhy.cli.main import main
from torchwhy.extend import COMMANDS

from .conftest import Run

CLASSES = {"Answer", "Assistant", "Finding", "Match", "Pitfall", "Reason", "Row"}
ERRORS = {
    "AssistantError",
    "ConfirmError",
    "KnowledgeError",
    "ModelError",
    "StoreError",
    "UsageError",
}
FUNCTIONS = {
    "check",
    "install",
    "lightning_watch",
    "load_ipython_extension",
    "trainer_watch",
    "triage",
    "unload_ipython_extension",
    "watch",
}
METHODS = {
    "ask": ["text", "lang", "facts", "source", "code", "operands", "python"],
    "ask_many": ["texts", "lang", "facts", "source", "operands"],
    "conversation": ["facts", "source"],
    "is_trusted": ["id"],
    "machine": ["python", "paste", "full"],
    "rewrite": ["answer", "question", "cancelled"],
}
SETTLED = "RuntimeError: Trying to backward through the graph a second time"
TOP_KEYS = {"schema", "lang", "match", "candidates", "screen", "here"}


def test_the_names_of_the_package() -> None:
    assert set(torchwhy.__all__) == CLASSES | ERRORS | FUNCTIONS
    for name in ERRORS:
        assert issubclass(getattr(torchwhy, name), torchwhy.AssistantError)


@pytest.mark.parametrize("name", METHODS)
def test_arguments_of_the_assistant(name: str) -> None:
    assert [*inspect.signature(getattr(Assistant, name)).parameters][1:] == METHODS[name]


def test_attributes_of_an_answer(real: Assistant) -> None:
    answer = real.ask(SETTLED)
    assert answer.found and answer.match is not None and answer.family is None
    for name in ("title", "fix", "change", "here", "package"):
        getattr(answer, name)
    for name in ("id", "probability", "pitfall"):
        getattr(answer.match, name)
    with pytest.raises(AttributeError):
        answer.match = None  # type: ignore[misc]


def test_the_commands() -> None:
    everyday = ["run", "last", "check", "triage", "chat", "confirm", "show", "repro", "report", "list"]
    assert [*COMMANDS][: len(everyday)] == everyday
    assert {"attach", "index", "eval", "machine", "mcp", "lsp", "doctor", "completion", "kb"} <= set(COMMANDS)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("--no-vectors", SETTLED), 0),
        (("--no-vectors", "what is the best pizza in Rome"), 1),
        (("--lang", "xx", SETTLED), 2),
        (("show", "backward-twice"), 0),
        (("show", "no-such-entry"), 2),
        (("list",), 0),
        (("check", "no-such-file.py"), 2),
        (("run", "--", "no-such-program-of-anybody"), 127),
    ],
)
def test_exit_statuses(words: tuple[str, ...], status: int) -> None:
    assert main([*words]) == status


@pytest.mark.parametrize("text", [SETTLED, "the loss does not go down", "what is the best pizza in Rome"])
def test_the_json_form(torchwhy: Run, text: str) -> None:
    data = json.loads(torchwhy("--json", "--no-vectors", text).stdout)
    assert data["schema"] == 1
    assert set(data) >= TOP_KEYS, sorted(data)
