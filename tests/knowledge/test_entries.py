"""Every entry of the knowledge base: one test id an entry for all rules, others for its answers and its script."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import pytest

from tests.conftest import ENTRIES, KB, write_entry
from tests.support.forked import confirm_forked, may_fork
from tests.support.script_calls import calls_of, calls_on_line
from tests.support.scripts import mine
from tests.support.shipped import knowledge as known
from torchwhy import Assistant
from torchwhy.authoring import check
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.load import load_knowledge
from torchwhy.paste.parse import parse
from torchwhy.proof.confirm import confirm
from torchwhy.proof.confirmation import Leg
from torchwhy.proof.judge import last_object
from torchwhy.text.language import LANGS

IDS = [path.name for path in ENTRIES]


@lru_cache(maxsize=1)
def base() -> check.Base:
    return check.Base(known(), IDS)


def entry_of(folder: Path) -> Pitfall:
    found = known().pitfalls.get(folder.name)
    if found is None:
        pytest.fail(
            "\n".join(str(problem) for problem in known().problems if check.id_of(problem) == folder.name),
            pytrace=False,
        )
    return found


def fail(problems: Sequence[object]) -> None:
    if problems:
        pytest.fail("\n".join(map(str, problems)), pytrace=False)


@pytest.mark.parametrize("folder", ENTRIES, ids=IDS)
def test_rules(folder: Path) -> None:
    """The schema, every rule of `torchwhy kb check`, and words of its own: all problems of an entry together."""
    entry = entry_of(folder)
    problems = [problem for rule in check.RULES for problem in rule.problems(entry, base())]
    fail([*problems, *shared_with_evaluation(entry)])


@pytest.mark.parametrize("folder", ENTRIES, ids=IDS)
def test_answers(folder: Path, assistant: Assistant) -> None:
    """A paste that another entry owns is not won by this one; an entry's own example leads to it, or to a look-alike that
    claims the same words. The wordings of a silent entry are signs of a symptom, not the message of one mistake: there it
    is among the first three.
    """
    entry = entry_of(folder)
    misses = [pair.near_miss for pair in entry.look_alikes if pair.near_miss]
    examples = [signature.example for signature in entry.signatures]
    allowed = {entry.id, *(pair.id for pair in entry.look_alikes)}
    found = [[each.id for each in answer.candidates] for answer in assistant.ask_many([*misses, *examples])]
    won, own = found[: len(misses)], found[len(misses) :]
    depth = 3 if entry.kind == "silent" else 1
    fail(
        [
            f"{text!r} was won by {entry.id}"
            for text, ids in zip(misses, won, strict=True)
            if ids[:1] == [entry.id]
        ]
        + [
            f"{text!r} -> {ids[:3]}"
            for text, ids in zip(examples, own, strict=True)
            if not allowed & {*ids[:depth]}
        ]
    )


@pytest.mark.script
@pytest.mark.parametrize("folder", ENTRIES, ids=IDS)
def test_repro(folder: Path) -> None:
    """Both legs: the right failure, the clean fix, the same numbers; or an honest reason why not here."""
    entry = entry_of(folder)
    if entry.no_repro:
        pytest.skip(f"repro: none: {entry.no_repro.en}")
    if may_fork(entry):
        verdict, legs = confirm_forked(entry)
        if verdict == "reproduces-here":
            _legs_belong_together(entry, legs)
            return
    result = confirm(entry, python=sys.executable)
    if result.legs and "terminate called without an active exception" in result.legs[-1].output:
        # Seen twice on a loaded machine: gloo's own threads abort a process that is done. The second run must be clean.
        result = confirm(entry, python=sys.executable)
    shown = "\n".join(
        f"--- {leg.name}: {leg.shows} ({leg.reason})\n{leg.output[-3000:]}" for leg in result.legs
    )
    if result.verdict == "cannot-run":
        if entry.needs.cuda and "GPU" in result.reason:
            for words in ([], ["--fixed"]):
                done = subprocess.run(
                    [sys.executable, entry.repro, *words],
                    capture_output=True,
                    text=True,
                    timeout=120,
                    check=False,
                )
                assert done.returncode == 125, (
                    f"a script that needs a GPU exits 125 without one\n{done.stdout}{done.stderr}"
                )
                assert done.stderr.strip(), "the reason stands on stderr"
        elif not result.legs:
            assert entry.needs != type(entry.needs)(), (
                f"cannot run though the entry needs nothing: {result.reason}"
            )
        pytest.skip(f"cannot run here: {result.reason}")
    assert result.verdict == "reproduces-here", f"{result.verdict}: {result.reason}\n{shown}"
    _legs_belong_together(entry, result.legs)


def _legs_belong_together(entry: Pitfall, legs: Sequence[Leg]) -> None:
    """A silent mistake is shown in numbers, of which both legs report the same; and the fix makes the call that failed."""
    broken, fixed = legs
    if entry.kind == "silent":
        assert broken.numbers and fixed.numbers, (
            f"a silent entry reports its numbers as the last line of stdout\n{broken.output[-3000:]}"
        )
    if broken.numbers is not None and fixed.numbers is not None:
        assert broken.numbers.keys() == fixed.numbers.keys(), "both legs report the same keys"
    _fix_makes_the_failing_call(entry, broken.output)


def _fix_makes_the_failing_call(entry: Pitfall, output: str) -> None:
    """What differs is the fix alone: fixed() still makes the call that fails in broken()."""
    assert entry.repro
    lines = [
        int(line)
        for line, name in re.findall(r'File "[^"\n]*repro\.py", line (\d+), in (\S+)', output)
        if name != "<module>"
    ]
    if not lines:
        return
    source = Path(entry.repro).read_text("utf-8")
    failing = calls_on_line(source, lines[-1])
    if failing:
        assert failing & calls_of(source, "fixed"), (
            f"fixed() leaves out the call that fails in broken(): {', '.join(sorted(failing))}"
        )


ASK_PIP = [path.parent for path in sorted(KB.glob("*/*/repro.py")) if '"pip"' in path.read_text("utf-8")]


@pytest.mark.script
@pytest.mark.parametrize("folder", ASK_PIP, ids=[folder.name for folder in ASK_PIP])
def test_what_a_script_asks_pip_no_settings_change(folder: Path, tmp_path: Path) -> None:
    """A machine may have constraints for all users, a user some of his own, and an environment variables."""
    for place in ("machine/pip/pip.conf", "user/.config/pip/pip.conf"):
        file = tmp_path / place
        file.parent.mkdir(parents=True)
        file.write_text(f"[global]\nconstraint = {tmp_path}/none.txt\n")
    env = {**os.environ, "XDG_CONFIG_DIRS": f"{tmp_path}/machine", "HOME": f"{tmp_path}/user"}
    env |= {
        "PIP_REQUIRE_HASHES": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_CONSTRAINT": f"{tmp_path}/none.txt",
    }
    words = [sys.executable, str(folder / "repro.py")]
    broken, fixed = (
        subprocess.run([*words, *more], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        for more in ([], ["--fixed"])
    )
    entry = entry_of(folder)
    wanted = [entry.symptom] if entry.symptom else [one.pattern for one in entry.signatures]
    assert any(re.search(each, broken.stderr) for each in wanted), broken.stderr
    assert broken.returncode and not fixed.returncode, fixed.stderr


def shared_with_evaluation(entry: Pitfall) -> list[str]:
    """Five consecutive words (eight characters in Chinese, a Latin word in between counting as one) in common would be
    copying, or measuring one's own text. Near-misses in words are passages too. What torch prints is nobody's text: runs of
    words that stand in a signature's example do not count.
    """
    lines = [line for lang in LANGS for line in (*entry.asks[lang], entry.title[lang])] + [
        pair.near_miss for pair in entry.look_alikes if pair.near_miss and parse(pair.near_miss).root is None
    ]
    return [
        f"{line!r} shares {run!r}"
        for line in lines
        for run in sorted((runs(line) & evaluation_runs()) - printed_runs())
    ]


@lru_cache(maxsize=1)
def evaluation_runs() -> frozenset[str]:
    rows = [
        json.loads(line)
        # those of branches tell the causes of one entry apart, for which its questions are not read
        for path in sorted((KB.parent / "data" / "eval").glob("[!bwh]*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    return frozenset().union(
        *(runs(row["text"]) for row in rows if row["source"] != "own run")
    )  # programs' output is nobody's text either


@lru_cache(maxsize=1)
def printed_runs() -> frozenset[str]:
    return frozenset().union(
        *(runs(signature.example) for entry in known().pitfalls.values() for signature in entry.signatures)
    )


UNIT = re.compile(r"[\u3400-\u9fff]|[a-z0-9_']+(?:\.[a-z0-9_']+)*")


def runs(text: str) -> frozenset[str]:
    """Every run of five words, and of eight units of which one at least is a Chinese character."""
    plain = text.lower().translate({0x2018: "'", 0x2019: "'"})
    units = [unit for unit in (found.strip("'_") for found in UNIT.findall(plain)) if unit]
    chinese = ["\u3400" <= unit[0] <= "\u9fff" for unit in units]
    found = {" ".join(units[at : at + 5]) for at in range(len(units) - 4) if not any(chinese[at : at + 5])}
    found |= {"".join(units[at : at + 8]) for at in range(len(units) - 7) if any(chinese[at : at + 8])}
    return frozenset(found)


def test_runs_see_through_punctuation() -> None:
    assert runs("the loss, of epoch one. Then") & runs("'The loss of EPOCH one!'")
    assert runs("每个 epoch 跑到，最后一步") & runs("每个epoch跑到最后一步")
    assert not runs("four words are few") and not runs("七个字不算多")


def test_the_template_passes_every_check(tmp_path: Path) -> None:
    write_entry(tmp_path, "cat-of-unequal-sizes")
    checked = check.check([tmp_path], {})
    fail(list(checked.problems))
    assert checked.entries == 1
    loaded = load_knowledge([tmp_path], {}).pitfalls["cat-of-unequal-sizes"]
    assert confirm(loaded, permit=mine(loaded), python=sys.executable).verdict == "reproduces-here"


def test_numbers_are_the_last_line() -> None:
    assert last_object('text\n{"a": 1}\n') == {"a": 1}
    assert last_object("text\n[1]\n") is None
    assert last_object("") is None


def test_an_exception_object_holds_no_frames() -> None:
    try:
        raise ValueError("x")
    except ValueError as error:
        assert "ValueError: x" in "".join(traceback.format_exception(error))  # noqa: PT017 (the subject is `error`)
