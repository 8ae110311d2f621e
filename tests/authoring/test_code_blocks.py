"""Python in fix and check: it parses, it names what it uses, and blocks marked `python run` run under the installed torch."""

from __future__ import annotations

import os
import signal
import textwrap
import warnings
from pathlib import Path
from types import FrameType
from unittest import mock

import pytest
import torch

from tests.conftest import ENTRIES
from tests.support.prelude import prelude
from torchwhy.knowledge.schema import load_yaml
from torchwhy.knowledge.texts import FENCED, RUN_MARK, SECTIONS

LIMIT_S = 60


def marked_blocks() -> list[tuple[str, str]]:
    """(entry and field, code) of every block that is marked, in both languages."""
    found = []
    for folder in ENTRIES:
        written = (folder / "pitfall.yaml").read_text("utf-8")
        if "```python run" not in written:
            continue
        entry = load_yaml(written)
        for section in SECTIONS:
            for lang, text in entry[section].items():
                blocks = (
                    block for block in FENCED.finditer(text) if RUN_MARK.match(block[0].split("\n", 1)[0])
                )
                for number, code in enumerate(textwrap.dedent(block["code"]) for block in blocks):
                    found.append((f"{folder.name}.{section}.{lang}[{number}]", code))
    return found


MARKED = marked_blocks()


def too_long(number: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"the block ran longer than {LIMIT_S} s")


@pytest.mark.parametrize("code", [code for _, code in MARKED], ids=[name for name, _ in MARKED])
def test_a_marked_block_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that torch does not have, a wrong argument, a missing import: the block says so here."""
    monkeypatch.chdir(tmp_path)
    before = torch.get_default_dtype(), torch.is_grad_enabled()
    previous = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(LIMIT_S)
    try:
        with warnings.catch_warnings(), mock.patch.dict(os.environ):
            warnings.simplefilter("ignore")
            exec(compile(code, "block", "exec"), prelude())
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
    assert (torch.get_default_dtype(), torch.is_grad_enabled()) == before, "it leaves torch as it found it"


def test_there_are_marked_blocks() -> None:
    assert len(MARKED) >= 100


def test_the_prelude_has_no_name_of_its_own() -> None:
    """A block that runs only thanks to a name of the prelude would not pass the law for its readers."""
    from torchwhy.authoring.code_blocks import CONVENTIONAL_MODULES, CONVENTIONAL_NAMES

    assert set(prelude()) - {"__name__"} <= CONVENTIONAL_MODULES | CONVENTIONAL_NAMES
