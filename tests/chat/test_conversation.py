"""Scripted dialogues in both languages on the fixture knowledge base: what is understood, and where each reply comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fixture_kb import FIXTURES, fixture_world
from torchwhy import Assistant, UsageError
from torchwhy.chat.conversation import Conversation
from torchwhy.chat.intents import read
from torchwhy.chat.sections import blocks
from torchwhy.knowledge import recorded_proofs
from torchwhy.knowledge.recorded_proofs import file_hash
from torchwhy.run import last

OOM = """Epoch 3
Traceback (most recent call last):
  File "/home/me/train.py", line 41, in main
    loss.backward()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB. GPU 0 has a total capacity of 9.77 GiB of which 185.50 MiB is free. Including non-PyTorch memory, this process has 9.43 GiB memory in use. Of the allocated memory 9.04 GiB is allocated by PyTorch, and 142.12 MiB is reserved by PyTorch but unallocated."""
TWICE = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."
INPLACE = "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [3]]"


def dialogues() -> dict[str, list[list[str]]]:
    """The dialogues by name: of each line what is said, the intent, the entry, words of the reply."""
    parts = (FIXTURES / "dialogues.txt").read_text("utf-8").split("\n== ")[1:]
    named = (part.strip().splitlines() for part in parts)
    return {name: [line.split(" | ") for line in lines] for name, *lines in named}


DIALOGUES = dialogues()


@pytest.fixture(scope="module")
def auto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """The fixture knowledge base, with a record of its scripts' runs under two releases."""
    folder = tmp_path_factory.mktemp("fixture")
    with fixture_world(folder, "auto") as assistant:
        record_runs(folder / "data" / "evidence", assistant, ("1.13.1+cu117", "2.13.0+cpu"))
        yield assistant


def record_runs(folder: Path, assistant: Assistant, releases: tuple[str, ...]) -> None:
    folder.mkdir(parents=True)
    scripts = {entry.id: entry.repro for entry in assistant.pitfalls.values() if entry.repro}
    for release in releases:
        rows = {
            id: {"sha256": file_hash(script), "verdict": "reproduces-here", "date": "2026-01-02"}
            for id, script in scripts.items()
        }
        record = {"schema": recorded_proofs.SCHEMA, "device": "cpu", "torch": release, "entries": rows}
        (folder / f"torch-{release}.json").write_text(json.dumps(record), "utf-8")


@pytest.mark.parametrize("name", DIALOGUES)
def test_dialogue(auto: Assistant, name: str) -> None:
    talk = auto.conversation()
    said = [
        line[0].format(OOM=OOM, TWICE=TWICE, INPLACE=INPLACE).replace("\\n", "\n") for line in DIALOGUES[name]
    ]
    for text, (_, intent, entry, wanted) in zip(said, DIALOGUES[name], strict=True):
        answer = talk.say(text)
        assert answer.reply is not None
        where = f"{text[:60]!r} -> {answer.reply.intent}, {answer.match and answer.match.id}"
        assert answer.reply.intent == intent, where
        if entry != "-":
            assert answer.match is not None and answer.match.id == entry, where
        if wanted != "-":
            assert wanted in answer.reply.markdown, f"{where}\n{answer.reply.markdown}"
    assert [turn.text for turn in talk.turns] == said


def test_every_passage_names_its_entry(auto: Assistant) -> None:
    talk = auto.conversation()
    talk.say(OOM)
    for said in (
        "why?",
        "how do I fix it?",
        "how do I check it?",
        "show me the code",
        "is it the batch size?",
        "still fails",
        "tl;dr",
    ):
        reply = talk.say(said).reply
        assert reply is not None and reply.found
        for section in reply.sections:
            assert section.entry is None or section.entry in auto.pitfalls
        assert "*from* **" in reply.markdown, said


def test_what_the_knowledge_base_lacks_is_said(auto: Assistant) -> None:
    talk = auto.conversation()
    talk.say(TWICE)
    for said in ("what if I use Keras?", "is it the moon?", "what about quantum computers?"):
        reply = talk.say(said).reply
        assert reply is not None and not reply.found and "has nothing on" in reply.markdown


def test_a_proof_is_asked_for_and_not_run(auto: Assistant) -> None:
    talk = auto.conversation()
    talk.say(TWICE)
    reply = talk.say("prove it").reply
    assert reply is not None and reply.action == "confirm"
    talk.choose("driver-not-loaded")
    reply = talk.say("prove it").reply
    assert reply is not None
    assert reply.action is None
    assert "A driver cannot be unloaded" in reply.markdown


def test_facts_bear_on_each_diagnosis(auto: Assistant) -> None:
    facts = auto.machine()
    talk = auto.conversation(facts=facts)
    first = talk.say(OOM)
    assert first.facts is facts and talk.say("are you sure?").facts is facts
    plain = auto.conversation()
    assert plain.say(OOM).facts is None, "nobody asked for them"
    plain.weigh(facts)
    assert plain.say("why?").facts is facts and plain.topic is not None and plain.topic.facts is facts
    report = "Collecting environment information...\nPyTorch version: 2.1.0+cu121\nIs debug build: False\nCUDA used to build PyTorch: 12.1\n\n"
    other = auto.conversation(facts=facts)
    answer = other.say(report + OOM)
    assert answer.facts is not None and answer.facts.origin == "report", (
        "the machine that failed, not this one"
    )
    reply = other.say("check my machine").reply
    assert reply is not None and "2.1.0" in reply.markdown


def test_a_users_words_are_no_markup(auto: Assistant) -> None:
    talk = auto.conversation()
    talk.say(TWICE)
    for said in (
        "what if I use [x](http://evil)?",
        "is it **bold** or <b>?",
        "what about `a` _b_ # c?",
        "does ![x](http://evil/p.png) help?",
    ):
        reply = talk.say(said).reply
        assert reply is not None and not reply.found
        assert re.search(r"“`.*`”", reply.markdown), reply.markdown


def test_ruling_out_everything_ends(auto: Assistant) -> None:
    talk = auto.conversation()
    talk.say(OOM)
    seen = ["gpu-memory-exhausted"]
    for _ in range(40):
        answer = talk.say("not that one")
        if answer.match is None:
            break
        seen.append(answer.match.id)
    assert answer.match is None and answer.reply is not None and not answer.reply.found
    assert len(seen) == len(set(seen)) == 3, "nothing is offered twice"


def test_choosing_a_candidate(auto: Assistant) -> None:
    talk = auto.conversation()
    first = talk.say(OOM)
    second = first.candidates[1].id
    answer = talk.choose(second)
    assert (
        answer.match is not None
        and answer.match.id == second
        and talk.focus is not None
        and talk.focus.id == second
    )
    assert talk.say("why?").match.id == second  # type: ignore[union-attr]
    with pytest.raises(UsageError, match="no such entry"):
        talk.choose("no-such-entry")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "?",
        "\x1b[31m",
        "[bold]x[/bold]",
        "`" * 50,
        "a" * 5000,
        "\u202eevil\u202c",
        "何",
        "1",
        "0" * 300,
    ],
)
def test_odd_text_never_raises(auto: Assistant, text: str) -> None:
    talk = auto.conversation()
    for _ in range(2):
        answer = talk.say(text)
        assert answer.reply is not None and answer.reply.markdown
        assert "\x1b" not in answer.reply.markdown and "\u202e" not in answer.reply.markdown
        talk.say(TWICE)


def test_a_log_of_any_size(auto: Assistant) -> None:
    log = "step 1 loss 0.5 lr 0.1\n" * 150_000 + OOM + "\n" + "cleanup ok\n" * 1000
    answer = auto.conversation().say(log)
    assert answer.match is not None and answer.match.id == "gpu-memory-exhausted"


def test_a_language_that_was_asked_for_stays() -> None:
    talk = Conversation(Assistant(lang="zh"))
    assert talk.say(TWICE).lang == "zh" and talk.say("why?").lang == "zh"


@pytest.mark.parametrize(
    "question",
    [
        "my loss is nan",
        "how do I fix a nan loss",
        "why is my loss nan",
        "DataLoader 卡住了怎么办",
        "为什么我的loss是nan",
        "梯度裁剪怎么写",
        "how do I use DDP",
        "what does CUDA error: device-side assert triggered mean",
        "训练的时候显存会不断增加是什么问题",
        "is there a memory leak in my dataloader workers when num_workers is large and I store lists of python objects in the data set",
    ],
)
def test_whole_questions_are_no_follow_ups(question: str) -> None:
    intent = read(question)
    assert intent is None or intent.name in ("guess", "what_if")


def test_code_stays_with_its_sentence() -> None:
    assert blocks("One.\n\nDo this:\n\n```python\na = 1\n\nb = 2\n```\n\nLast.") == [
        "One.",
        "Do this:\n\n```python\na = 1\n\nb = 2\n```",
        "Last.",
    ]


def test_a_follow_up_that_comes_first_is_of_the_last_run(auto: Assistant) -> None:
    answer = auto.ask(TWICE)
    failure = last.failure_of(answer, None)
    last.keep(["python", "train.py"], 1, failure, "", answer.to_dict())
    try:
        reply = auto.conversation(source=True).say("how do I fix it?").reply
        assert reply is not None and "**graph-used-twice** (Fix)" in reply.markdown
        other = auto.conversation().say("how do I fix it?").reply
        assert other is not None and not other.found
    finally:
        last.forget()
