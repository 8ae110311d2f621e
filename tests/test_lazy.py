"""Start-up is a feature: what a question does not need is not imported."""

from __future__ import annotations

import pytest

from torchwhy import Assistant

from .support.start_up import HEAVY, SETTLED, counts_after, modules_after

# what makes records slowly, asks a model, redacts or looks at the machine
NOT_FOR_A_MESSAGE = (
    "dataclasses", "inspect", "urllib.request", "http.client", "markdown_it", "pynvml", "torchwhy.llm.endpoint",
    "torchwhy.llm.rewrite", "torchwhy.text.exits", "torchwhy.text.token_forms", "requests",
    "torchwhy.machine.machine_facts", "torchwhy.machine.gpus",
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    Assistant()  # compiling reads YAML; a question afterwards does not


def test_importing_the_package() -> None:
    assert not modules_after("import torchwhy, torchwhy.cli") & set(HEAVY)


def test_a_plugin_of_another_program() -> None:
    """pytest and IPython import these in every process of theirs."""
    for module in ("torchwhy.plugins.pytest_plugin", "torchwhy"):
        found = {name for name in modules_after(f"import {module}") if name.startswith("torchwhy")}
        assert found <= {"torchwhy", "torchwhy.plugins", "torchwhy.plugins.pytest_plugin"}


@pytest.mark.parametrize(
    "words", [[SETTLED], ["--json", SETTLED], ["--lang", "zh", SETTLED]], ids=["plain", "json", "zh"]
)
def test_a_question_that_a_signature_settles(words: list[str]) -> None:
    found = modules_after(f"from torchwhy.cli import main\nassert main({words!r}) == 0")
    assert not found & {*HEAVY, *NOT_FOR_A_MESSAGE}


def test_what_a_settled_answer_imports_compiles_and_makes() -> None:
    """By counts, which do not waver under load as times do. Whoever lowers one lowers the limit."""
    counts = counts_after(f"from torchwhy.cli import main\nassert main([{SETTLED!r}]) == 0")
    assert counts.own_modules <= 77
    assert counts.patterns_at_import == 0, "lazy_compile is for these"
    assert counts.patterns <= 60


@pytest.mark.parametrize(
    "words", [["list"], ["show", "backward-twice"], ["list", "--json"]], ids=lambda words: " ".join(words)
)
def test_browsing(words: list[str]) -> None:
    assert not modules_after(f"from torchwhy.cli import main\nassert main({words!r}) == 0") & set(HEAVY)


def test_the_chat_waits_for_nothing_heavy() -> None:
    found = modules_after("import torchwhy.tui.app")
    assert not found & {*HEAVY, "textual.widgets._markdown"} - {"textual", "rich"}


def test_a_question_that_needs_vectors(assistant: Assistant) -> None:
    assistant.ask("my numbers look odd after a while")  # builds the index in the shared cache
    found = modules_after("from torchwhy.cli import main\nmain(['my numbers look odd after a while'])")
    assert {"onnxruntime", "faiss", "numpy"} <= found
    assert not found & {"torch", "sentence_transformers", "transformers", "onnx", "textual", "yaml"}
