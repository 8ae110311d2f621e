"""Start-up is a feature: what a question does not need is not imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .conftest import ROOT

HEAVY = ("torch", "sentence_transformers", "transformers", "faiss", "onnxruntime", "onnx", "textual", "rich", "numpy", "yaml")
SETTLED = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint('\\n' + ' '.join(sorted(name for name in sys.modules if '.' not in name)))"],
        capture_output=True, text=True, cwd=ROOT, check=True,
    )  # fmt: skip
    return set(done.stdout.strip().splitlines()[-1].split())


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    from assistant import Assistant

    Assistant()  # compiling reads YAML; a question afterwards does not


def test_importing_the_package() -> None:
    assert not modules_after("import assistant, assistant.cli") & set(HEAVY)


@pytest.mark.parametrize("words", [[SETTLED], ["--json", SETTLED], ["--lang", "zh", SETTLED]], ids=["plain", "json", "zh"])
def test_a_question_that_a_signature_settles(words: list[str]) -> None:
    found = modules_after(f"from assistant.cli import main\nassert main({words!r}) == 0")
    assert not found & set(HEAVY)


@pytest.mark.parametrize("words", [["list"], ["show", "backward-twice"], ["list", "--json"]], ids=lambda words: " ".join(words))
def test_browsing(words: list[str]) -> None:
    assert not modules_after(f"from assistant.cli import main\nassert main({words!r}) == 0") & set(HEAVY)


def test_a_question_that_needs_vectors(assistant) -> None:  # type: ignore[no-untyped-def]
    assistant.ask("my numbers look odd after a while")  # builds the index in the shared cache
    found = modules_after("from assistant.cli import main\nmain(['my numbers look odd after a while'])")
    assert {"onnxruntime", "faiss", "numpy"} <= found
    assert not found & {"torch", "sentence_transformers", "transformers", "onnx", "textual", "yaml"}
