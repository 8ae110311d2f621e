"""Proof is offered where it can run: a script that needs a GPU, and one that needs none."""

from __future__ import annotations

from pathlib import Path

import pytest

from torchwhy.answers import provable
from torchwhy.knowledge.entry import Needs

GPU = any(any(Path("/dev").glob(name)) for name in provable.GPU_DEVICES)


@pytest.mark.skipif(provable.sys.platform != "linux", reason="elsewhere nobody knows without torch")
def test_a_gpu_is_wanted_where_none_is() -> None:
    assert provable.runs_here(Needs())
    assert provable.runs_here(Needs(cuda=True)) == provable.runs_here(Needs(gpus=2)) == GPU
    assert ("GPU" in provable.proof_words(Needs(cuda=True), "en")) != GPU
    assert provable.proof_words(Needs(), "en") == "proof on this machine: "


def test_another_platform_is_named() -> None:
    other = "windows" if provable.sys.platform == "linux" else "linux"
    assert not provable.runs_here(Needs(platform=other))
    assert other in provable.proof_words(Needs(platform=other), "zh")
