"""The site's search, run by node with the built tables: it reads a paste as torchwhy does, shows the same messages,
and settles what `torchwhy --no-vectors` settles by a signature.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docs.build import shipped_knowledge
from docs.js_patterns import js_pattern
from docs.search_tables import terms
from tests.conftest import ROOT
from tests.paste.compiled import NEW, OLD
from torchwhy.api import Assistant
from torchwhy.paste.parse import parse
from torchwhy.retrieval.claims import settle, weigh

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")
SCRIPT = Path(__file__).parent / "answers.mjs"
REPORT_MARK = "PyTorch version:"  # of a report that torchwhy takes out of a text first; the page does not
MIN_TRACEBACKS = 100
MAX_PLACE = 3
SUMS = "ValueError: sums is not a valid value for reduction"
KEYS = "_IncompatibleKeys(missing_keys=[\n"
ASK_TIMEOUT_S = 120  # of hundreds of texts at once, or of one of a million characters

Ask = Callable[[list[str]], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def ask(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """What the page's program says to texts."""
    folder = tmp_path_factory.mktemp("search")

    def asked(texts: list[str]) -> list[dict[str, Any]]:
        (folder / "texts.json").write_text(json.dumps(texts), "utf-8")
        words = [str(NODE), str(SCRIPT), str(site), str(folder / "texts.json"), str(folder / "answers.json")]
        subprocess.run(words, check=True, capture_output=True, timeout=ASK_TIMEOUT_S)
        return list(json.loads((folder / "answers.json").read_text("utf-8")))

    return asked


@pytest.fixture(scope="module")
def assistant() -> Assistant:
    return Assistant(vectors=False)


def rows(name: str) -> list[dict[str, Any]]:
    lines = (ROOT / "data" / "eval" / name).read_text("utf-8").splitlines()
    return [row for line in lines if REPORT_MARK not in (row := json.loads(line))["text"]]


def written_texts() -> list[str]:
    """Every example, near-miss and neighbour of the knowledge base."""
    texts = []
    for entry in shipped_knowledge().pitfalls.values():
        texts += [signature.example for signature in entry.signatures]
        texts += [pair.near_miss for pair in entry.look_alikes if pair.near_miss]
        texts += [neighbour.line for neighbour in entry.neighbours]
    return texts


def same(assistant: Assistant, texts: list[str], said: list[dict[str, Any]]) -> int:
    """Compare reading, messages and what settles; how many were settled."""
    settled = 0
    for text, one in zip(texts, said, strict=True):
        paste = parse(text)
        claims = assistant.matcher.word_features(paste).claims
        errors = [
            [each.role, each.exception, each.message, each.start, each.end, each.rank]
            for each in paste.errors
        ]
        assert one["lines"] == list(paste.lines), text
        assert one["errors"] == errors, text
        assert one["claimed"] == sorted({claim.entry for claim in claims}), text
        assert one["settled"] == settle(weigh(paste, claims), assistant.matcher.kinds), text
        settled += one["settled"] is not None
    return settled


@needs_node
def test_every_example_near_miss_and_neighbour(assistant: Assistant, ask: Ask) -> None:
    texts = written_texts()
    assert same(assistant, texts, ask(texts)) > len(texts) / 2


@needs_node
def test_errors_under_torch_compile_are_read_alike(assistant: Assistant, ask: Ask) -> None:
    assert same(assistant, [NEW, OLD], ask([NEW, OLD])) == 2


@needs_node
def test_reports_and_processes_are_read_alike(assistant: Assistant, ask: Ask) -> None:
    report = (
        "# ComfyUI Error Report\n## Error Details\n- **Node Type:** Detector\n- **Exception Type:** NameError\n"
        "- **Exception Message:** name 'torch' is not defined\n## Stack Trace\nx = 1\ny = 2\n# Load the model\n"
    )
    lines = (
        "(EngineCore_0 pid=54) ValueError: No available memory for the cache blocks.\n"
        "(train_fn ip=10.0.0.1, pid=77) RuntimeError: boom\n[rank1]: RuntimeError: bang\n"
    )
    said = ask([report, lines])
    same(assistant, [report, lines], said)
    assert [error[5] for error in said[1]["errors"]] == [-54, -77, 1]
    assert said[0]["errors"][0][1] == "NameError" and "# Load the model" in said[0]["lines"]


@needs_node
def test_cells_short_frames_and_quotations_are_read_alike(assistant: Assistant, ask: Ask) -> None:
    texts = [
        "Cell In[11], line 1\n----> 1 net(x)\n\nValueError: odd\n",
        "ValueError   Traceback (most recent call last)\nFile ~/me/a.py:5\n----> 5 b(x)\n\nValueError: odd\n",
        "tests/test_rows.py:16: in <module>\n    rows = load()\nE   ValueError: odd\n",
        "It says:\n\n> ValueError: odd\n>\n\n> in row 7\n\n>>> import rows\n>>> rows\n> one line\n",
    ]
    said = ask(texts)
    same(assistant, texts, said)
    assert [len(one["errors"]) for one in said] == [1, 1, 1, 1]


@needs_node
def test_what_it_settles_is_what_torchwhy_answers_without_vectors(assistant: Assistant, ask: Ask) -> None:
    """All of dev: the same reading, the same messages, and where one settles the text, the same entry."""
    texts = [row["text"] for row in rows("dev.jsonl")]
    said = ask(texts)
    assert same(assistant, texts, said) > len(texts) / 3
    for text, one, answer in zip(texts, said, assistant.ask_many(texts, lang="en"), strict=True):
        if one["settled"] is not None:
            assert answer.match is not None, text
            assert one["settled"] == answer.match.id, text


@needs_node
def test_a_pasted_traceback_finds_its_page(assistant: Assistant, ask: Ask) -> None:
    """What a hundred programs printed, one of each entry, plain and in the noise of logs."""
    chosen: dict[str, str] = {}
    for row in rows("verbatim.jsonl"):
        if "Traceback (most recent call last)" in row["text"]:
            chosen[row["label"]] = row["text"]
    assert len(chosen) >= MIN_TRACEBACKS
    said = ask(list(chosen.values()))
    missed = [label for label, one in zip(chosen, said, strict=True) if label not in one["found"][:MAX_PLACE]]
    assert not missed
    same(assistant, list(chosen.values()), said)


@needs_node
@pytest.mark.parametrize(
    "text",
    [
        "out of memory",
        "loss does not decrease",
        "training hangs",
        "显存不足",
        "hello world",
    ],
)
def test_a_symptom_in_words_finds_the_family_that_torchwhy_answers(ask: Ask, text: str) -> None:
    (said,) = ask([text])
    family = Assistant().ask(text, lang="en").family
    assert said["families"][:1] == ([family.id] if family else [])
    members = family.family.members if family else ()
    assert bool(said["found"]) is bool(family) and set(said["found"]) <= {*members}


@needs_node
def test_words_that_no_entry_holds_find_nothing(ask: Ask) -> None:
    """Questions that have nothing to do with torch, where a quarter of an entry's words is chance."""
    texts = [row["text"] for row in rows("written-foreign.jsonl") if len(row["text"]) < 200]
    said = ask(["hello world", "best pizza recipe", "thank you very much", *texts])
    assert not any(one["found"] for one in said[:3])
    assert sum(bool(one["found"]) for one in said) < len(said) / 2


@needs_node
def test_words_are_counted_alike_on_both_sides(ask: Ask) -> None:
    texts = [row["text"] for row in rows("written-a.jsonl")][:100]
    assert [one["terms"] for one in ask(texts)] == [terms(text) for text in texts]


@needs_node
@pytest.mark.parametrize("line", ["\n", "> a\n", "RuntimeError: x\n", '  File "a", line 1, in f\n'])
def test_a_text_of_many_lines_is_read_in_linear_time(ask: Ask, line: str) -> None:
    """The tab of whoever follows a link with ?q=, or pastes a long log, would stand still: 400,000 lines took
    hours. The limit of `ask` is far above what a linear reading takes.
    """
    (read,) = ask([line * (1_000_000 // len(line))])
    assert len(read["lines"]) == 1_000_000 // len(line) + 1


@needs_node
@pytest.mark.parametrize(
    ("message", "entry"),
    [
        ("ValueError: sums is not a valid value for reduction", "loss-reduction-arguments"),
        ("OSError: gpt does not appear to have a file named config.json.", "pretrained-file-missing"),
    ],
)
def test_a_word_without_end_beside_a_message_costs_its_length(ask: Ask, message: str, entry: str) -> None:
    """A picture in base64 of 1 MB below such a message held the tab for a quarter of an hour."""
    for found in ask([f"{message}\n\n{'aB3/' * 250_000}\n", f"{message}\n{chr(10) * 500_000}x"]):
        assert entry in found["claimed"]


@needs_node
@pytest.mark.parametrize(
    ("text", "entry"),
    [
        (f"{SUMS}\n\n" + (f"{'aB3/' * 200}\x0b" * 1250), "loss-reduction-arguments"),
        (f"{SUMS}\n\n" + (f"{'aB3/' * 200}\u2028" * 1250), "loss-reduction-arguments"),
        (f"{SUMS}\n" + (f"{chr(13) * 250}\x00" * 4000) + "x\r\n", "loss-reduction-arguments"),
        (
            f"OSError: libcudart.so.12\n{'could not load library ' * 43_000}\n{SUMS}",
            "loss-reduction-arguments",
        ),
        (f"], unexpected_keys=['x']\n{KEYS * 31_000}\n{SUMS}", "loss-reduction-arguments"),
    ],
    ids=["words", "separators", "returns", "one line", "open brackets"],
)
def test_nothing_that_repeats_itself_takes_the_square_of_the_time(ask: Ask, text: str, entry: str) -> None:
    """Words and blanks that what is taken out had parted, a line without end, a bracket that nothing closes."""
    (found,) = ask([text])
    assert entry in found["claimed"]


@needs_node
def test_a_message_is_found_at_any_place_of_a_long_text(ask: Ask) -> None:
    step = "step 1 loss 0.5\n"
    texts = [f"{step * at}{SUMS}\n{step * (12_000 - at)}" for at in (0, 3749, 3750, 3751, 7000, 12_000)]
    assert all("loss-reduction-arguments" in found["claimed"] for found in ask(texts))


@needs_node
@pytest.mark.parametrize(
    "text",
    ["", "\x00\x1b[31m\ud800", "a" * 100_000, "\r" * 5000 + "\tError: x\r\n", "[rank0]: " * 2000, "(" * 3000],
    ids=["empty", "control", "long", "returns", "ranks", "brackets"],
)
def test_hostile_texts_are_read(ask: Ask, text: str) -> None:
    assert len(ask([text])) == 1


@pytest.mark.parametrize(
    ("pattern", "source", "flags"),
    [
        (r"a\s+b.", r"a[\t\n\f\r ]+b[^\n]", "iu"),
        (r"(?P<name>\d+)x{2}{", r"(?:[0-9]+)x{2}\{", "iu"),
        (r"[\w-]\"\'", r"""[0-9A-Za-z_-]"'""", "iu"),
        (r"(?m)^a$", r"(?<=^|\n)a(?=\n|$)", "iu"),
        (r"(?s:a.)b.", r"(?:a[^])b[^\n]", "iu"),
        (r"a(?-i:B)", r"[aA](?:B)", "u"),
        (r"[x-](?-i:B)", r"[x\-X\-](?:B)", "u"),
        (r"\Aa\z", r"(?<![^])a(?![^])", "iu"),
    ],
)
def test_patterns_for_a_browser(pattern: str, source: str, flags: str) -> None:
    assert js_pattern(pattern, "re2", "i") == (source, flags)


@pytest.mark.parametrize("pattern", [r"\pN", r"\C", r"\Qa\E", r"[[:alpha:]]"])
def test_a_pattern_without_an_equal_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="no equal"):
        js_pattern(pattern, "re2", "i")
