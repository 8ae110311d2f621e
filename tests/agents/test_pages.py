"""What an agent reads: short, bounded, without secrets; and what it may name as a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from torchwhy import Assistant, UsageError
from torchwhy.agents import pages
from torchwhy.embedding.model import find_model

MAX_TOKENS = 700  # of a diagnosis
FAILED = """Traceback (most recent call last):
  File "train.py", line 18, in forward
    return self.head(x)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (16x1568 and 2048x10)
"""


def test_a_diagnosis_of_any_entry_is_short(real: Assistant) -> None:
    """The longest wording of every entry, in a language in turn, by the tokenizer that ships; it cuts code finer than
    the tokenizers of large models do, so this counts too many rather than too few.
    """
    tokenizer = Tokenizer.from_file(str(Path(find_model(None).folder, "tokenizer.json")))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    asked = [
        (id, max((one.example for one in entry.signatures), key=len))
        for id, entry in real.pitfalls.items()
        if entry.signatures
    ] + [("a symptom", "GPU memory grows"), ("a symptom", "it hangs"), ("nothing known", "zork " * 5000)]
    for at, (id, text) in enumerate(asked):
        told = pages.diagnosis(real.ask(text, lang="zh" if at % 2 else "en"))
        assert len(tokenizer.encode(told).ids) <= MAX_TOKENS, (id, told)


def test_a_diagnosis_names_the_line_the_change_the_evidence_and_what_to_run(
    real: Assistant,
) -> None:
    told = pages.diagnosis(real.ask(FAILED))
    for part in ("train.py:18 in forward", "return self.head(x)", "1568 columns", "Usual fix", "Evidence: "):
        assert part in told
    assert "torchwhy confirm matmul-shape-mismatch" in told
    assert "sections says, why, fix, check, evidence, sources" in told


def test_sections_are_the_whole_ones_and_no_others(real: Assistant) -> None:
    answer = real.ask(FAILED)
    fix = pages.diagnosis(answer, ["fix"])
    assert answer.fix in fix
    assert "## Why" not in fix
    assert len(pages.diagnosis(answer, ["all"])) > len(fix)


def test_nothing_known_is_said_so(real: Assistant) -> None:
    told = pages.diagnosis(real.ask("ValueError: a zork was expected, not a quux"))
    assert told.splitlines()[-1].startswith("More: sections")
    assert "Evidence" not in told
    assert "I don't know this one." in told


def test_secrets_of_a_paste_do_not_reach_the_agent(real: Assistant) -> None:
    secret = "hf_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3d"  # made up, and too regular to be one
    told = pages.diagnosis(real.ask(f"RuntimeError: cannot reach the hub with {secret}"))
    assert "cannot reach the hub" in told
    assert secret not in told


@pytest.mark.parametrize("before", range(60, 110, 3))
def test_a_secret_is_taken_out_before_the_message_is_wrapped(real: Assistant, before: int) -> None:
    """Where a line ends between a name and its value, nothing tells that the value is secret."""
    words = ("the tensors of this step do not fit " * 4)[:before].strip()
    told = pages.diagnosis(real.ask(f"RuntimeError: {words} password: Tulip99Garden"))
    assert "Tulip99" not in told and "Garden" not in told


def test_an_agent_hears_of_a_log_what_others_may_and_of_its_own_text_all(real: Assistant) -> None:
    answer = real.ask(FAILED + " in zorkium, password: Tulip99Garden")
    for sections in ([], ["all"]):
        assert "zorkium" not in pages.diagnosis(answer, sections) and "Tulip99" not in pages.diagnosis(answer)
    full = pages.diagnosis(answer, full=True)
    assert "zorkium" in full and "Tulip99" not in full
    assert "return self.head(x)" in pages.diagnosis(answer), "the user's own line is whole"


def test_a_page_is_bounded_and_says_so(real: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_PAGE_CHARS", 200)
    told = pages.entry(real, "backward-twice", "en", ["all"])
    assert len(told) < 300
    assert "more characters: ask for fewer sections" in told


def test_a_file_is_read_in_the_place_of_a_text(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text(FAILED, "utf-8")
    assert pages.text_of("", str(log)) == FAILED
    with pytest.raises(UsageError, match="nothing was given"):
        pages.text_of(FAILED, str(log))
    with pytest.raises(UsageError, match="nothing was given"):
        pages.text_of("  ", "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, why in (
        (str(pipe), "no regular file"),
        (str(tmp_path), "no regular file"),
        (str(tmp_path / "none"), "cannot be read"),
        ("a\0b", "cannot be read"),
    ):
        with pytest.raises(UsageError, match=why):
            pages.text_of("", path)


def test_a_text_that_is_too_long_is_to_be_a_file() -> None:
    with pytest.raises(UsageError, match="name its file"):
        pages.text_of("x" * (pages.MAX_TEXT_CHARS + 1), "")


@pytest.mark.parametrize("paths", [[], ["-"], ["."]])
def test_no_mistake_is_not_said_of_what_was_not_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paths: list[str]
) -> None:
    """A server's standard input is no source, and a folder may hold none."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="no Python source"):
        pages.checked(paths, False, "en")


def test_what_was_left_out_is_said(tmp_path: Path) -> None:
    (tmp_path / "whole.py").write_text("x = 1\n")
    (tmp_path / "half.py").write_text("import torch\ndef f(\n")
    told = pages.checked([str(tmp_path)], False, "en")
    assert (
        told.startswith("The rules found no mistake.")
        and "half.py:2: not checked" in told
        and "whole.py" not in told
    )


def test_the_machine_as_lines(real: Assistant) -> None:
    told = pages.machine(real.machine(), "en")
    assert "\nplatform = " in told
    assert all(" = " in line or line.startswith("? ") for line in told.splitlines()[1:])
