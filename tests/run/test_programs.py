"""A broken program where programs run, under `torchwhy run` and bare: the entry, the line, the operands, and the same
bytes and status. `python tests/bench/broken_programs.py` says it of all of tests/fixtures/broken.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench.broken_programs import WORDS, Broken, programs, run_one
from tests.conftest import follows_schema

PRODUCT = frozenset({"a", "b"})
THREAD = """import sys, threading, torch
done = []
def work(a, b):
    done.append(a @ b)  # HERE
t = threading.Thread(target=work, args=(torch.ones(2, 3), torch.ones(2, 3)))
t.start()
t.join()
sys.exit(not done)
"""
SWALLOWED = """import logging, sys, torch
try:
    a, b = torch.ones(2, 3), torch.ones(2, 3)
    print(a @ b)  # HERE
except RuntimeError:
    logging.exception('training failed')
    sys.exit(3)
"""
AUTOENCODER = next(each for each in programs() if each.name == "autoencoder")


@pytest.mark.parametrize(
    ("program", "place"),
    [
        *((AUTOENCODER, place) for place in WORDS),
        (Broken("thread", THREAD, "matmul-shape-mismatch", PRODUCT), "plain"),
        # the program prints the traceback itself
        (Broken("swallowed", SWALLOWED, "matmul-shape-mismatch", frozenset()), "plain"),
    ],
    ids=[*WORDS, "thread", "swallowed"],
)
def test_program(program: Broken, place: str, tmp_path: Path) -> None:
    found = run_one(program, place, str(tmp_path))
    assert found.entry and found.line and found.operands and found.same is not False, found
    data = json.loads((tmp_path / "out.json").read_text())
    follows_schema(data, "answers/answer.schema.json")
    assert data["status"] == (3 if program.name == "swallowed" else 1)
