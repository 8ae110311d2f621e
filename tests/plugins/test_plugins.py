"""A script with `torchwhy.install()`, and `pytest --why`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from torchwhy.plugins.exception import explain

INSTALLS = """
import torchwhy, sys
{before}
torchwhy.install()
import torch
def step(a, b):
    return a @ b
{call}
"""
TESTS = """
import pytest, torch

def test_passes():
    assert torch.ones(2).sum() == 2

def test_product():
    a, b = torch.ones(2, 3), torch.ones(2, 3)
    assert (a @ b).shape

@pytest.fixture
def broken():
    w = torch.ones(3, requires_grad=True)
    w += 1

def test_set_up(broken):
    pass

def test_skipped():
    pytest.skip("not here")
"""
ASSERTS = """
import torch
from torch import nn

def test_shape():
    x = torch.randn(8, 30)
    assert nn.Linear(20, 2)(x).shape == (8, 2)

def test_plain():
    assert 1 + 1 == 3

def test_close():
    torch.testing.assert_close(torch.ones(3), torch.zeros(3))

def test_key():
    row = {"a": 1}
    assert row["b"] == 1

def test_raised():
    raise RuntimeError("our own words")
"""


def python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "assistant")},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def test_install_answers_below_the_traceback(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        INSTALLS.format(before="", call="step(torch.ones(2, 3), torch.ones(4, 5))")
    )
    done = python(tmp_path, "train.py")
    assert done.returncode == 1
    answer = done.stderr.partition("RuntimeError: ")[2].partition("\n\n")[2]
    assert answer.startswith("train.py:7 in step ") and "\n    a float32[2, 3]" in answer
    assert "\nUsual fix  " in answer and "torchwhy show matmul-shape-mismatch" in answer
    assert "## " not in answer and "\x1b" not in answer


@pytest.mark.skipif(os.name != "posix", reason="a terminal of its own")
@pytest.mark.parametrize("name", ["xterm", "dumb"])
def test_install_draws_on_a_terminal(tmp_path: Path, name: str) -> None:
    from tests.support.terminal import Terminal, environment

    call = "step(torch.ones(2, 3), torch.ones(4, 5))"
    (tmp_path / "train.py").write_text(INSTALLS.format(before="", call=call))
    env = {**environment(), "TERM": name}
    env.pop("NO_COLOR", None)
    with Terminal([sys.executable, "train.py"], str(tmp_path), env) as terminal:
        assert terminal.finish() == 1
        said = terminal.seen.partition(b"Traceback")[2]
    assert (b"\x1b[31mRuntimeError: mat1 and mat2" in said) is (name == "xterm")
    assert b"Usual fix  " in said and b"## " not in said and b"**" not in said


def test_install_hears_of_threads_and_keeps_another_hook(tmp_path: Path) -> None:
    before = "sys.excepthook = lambda *_: print('mine', file=sys.stderr)"
    call = (
        "import threading\nt = threading.Thread(target=step, args=(torch.ones(2, 3), torch.ones(4, 5)))\n"
        "t.start(); t.join()\nraise ValueError('x')"
    )
    (tmp_path / "train.py").write_text(INSTALLS.format(before=before, call=call))
    done = python(tmp_path, "train.py")
    assert done.stderr.index("matmul-shape-mismatch") < done.stderr.index("\nmine\n")


def test_no_reference_to_the_frames_is_kept() -> None:
    import gc
    import weakref

    class Held:
        pass

    def fail() -> weakref.ref[Held]:
        held = Held()
        try:
            raise RuntimeError("mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)")
        except RuntimeError as error:
            explain(error)
        return weakref.ref(held)

    kept = fail()
    gc.collect()
    assert kept() is None


@pytest.mark.parametrize("more", [[], ["-n", "2"]], ids=["alone", "xdist"])
def test_pytest_says_why(tmp_path: Path, more: list[str]) -> None:
    (tmp_path / "test_model.py").write_text(TESTS)
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *more]
    plain = python(tmp_path, *words)
    asked = python(tmp_path, *words, "--why")
    assert "- why -" not in plain.stdout
    assert asked.stdout.count("- why -") == 2
    assert "matmul-shape-mismatch" in asked.stdout
    assert "\ntest_model.py:9 in test_product " in asked.stdout
    assert "leaf-inplace" in asked.stdout
    assert "## Fix" not in asked.stdout
    assert asked.stdout.splitlines()[-1].split(" in ")[0] == plain.stdout.splitlines()[-1].split(" in ")[0]


def test_pytest_says_as_much_as_is_asked_for(tmp_path: Path) -> None:
    """A first screen by default, in the user's own names, and nothing of an assert that speaks for itself."""
    (tmp_path / "test_model.py").write_text(ASSERTS)
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-n0"]
    screen = python(tmp_path, *words, "--why").stdout
    shape, key, raised = screen.split("- why -")[1:]
    assert "matmul-shape-mismatch" in shape and "x float32[8, 30]" in shape
    assert "@py_" not in screen
    assert "A Python error, not a PyTorch one" in key and "Your own program raised this" in raised
    full = python(tmp_path, *words, "--why-full").stdout
    assert full.count("- why -") == 3 and "@py_" not in full
    assert re.search(r"^ *Fix$", full, re.MULTILINE) and "## " not in full and "```" not in full
