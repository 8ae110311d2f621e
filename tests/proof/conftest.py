"""What the tests of proofs share: a Python that need not be asked about its torch."""

from __future__ import annotations

import sys

import pytest

from torchwhy.machine import torch_probe


@pytest.fixture
def quick_probe(monkeypatch: pytest.MonkeyPatch) -> torch_probe.Probe:
    """Made-up scripts do not need torch; asking the interpreter about it is not what is tested."""
    found = torch_probe.Probe(sys.executable, "3.11.0", sys.platform, torch="2.13.0+cpu")
    monkeypatch.setattr(torch_probe, "probe", lambda interpreter: found)
    return found
