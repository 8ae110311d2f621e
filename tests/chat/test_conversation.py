"""Scripted dialogues in both languages on the fixture knowledge base: what is understood, and where each reply comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fixture_kb import fixture_world
from torchwhy import Assistant, UsageError
from torchwhy.chat.conversation import Conversation
from torchwhy.chat.intents import read
from torchwhy.chat.sections import blocks
from torchwhy.knowledge import evidence
from torchwhy.knowledge.evidence import file_hash

OOM = """Epoch 3
Traceback (most recent call last):
  File "/home/me/train.py", line 41, in main
    loss.backward()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB. GPU 0 has a total capacity of 9.77 GiB of which 185.50 MiB is free. Including non-PyTorch memory, this process has 9.43 GiB memory in use. Of the allocated memory 9.04 GiB is allocated by PyTorch, and 142.12 MiB is reserved by PyTorch but unallocated."""
TWICE = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."
INPLACE = "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [3]]"

# Each line of a dialogue: what is said, the intent understood, the entry at hand afterwards, what the reply must say.
Line = tuple[str, str, "str | None", "str | None"]
DIALOGUES: dict[str, tuple[Line, ...]] = {
    "fix": (
        (OOM, "diagnosis", "gpu-memory-exhausted", "## Fix"),
        ("how do I fix it?", "fix", "gpu-memory-exhausted", "*from* **gpu-memory-exhausted** (Fix)"),
    ),
    "why-then-code": (
        (TWICE, "diagnosis", "graph-used-twice", "## Why"),
        ("Why?", "why", "graph-used-twice", "*from* **graph-used-twice** (Why)"),
        ("ok, show me the code", "code", "graph-used-twice", "```python"),
        ("and how do I check that?", "check", "graph-used-twice", "(How to check it)"),
    ),
    "guess": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("is it the batch size?", "guess", "gpu-memory-exhausted", "Activations grow with the batch size"),
    ),
    "guess-of-a-neighbour": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("is it fragmentation?", "guess", "gpu-memory-exhausted", "**gpu-memory-in-pieces**"),
    ),
    "what-if": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        (
            "does retain_graph=True help?",
            "what_if",
            "graph-used-twice",
            "is right only where one graph is truly walked twice",
        ),
        ("what if I use retain_graph?", "what_if", "graph-used-twice", "*from* **graph-used-twice**"),
    ),
    "short-forms": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("what if I use AMP?", "what_if", "gpu-memory-exhausted", "autocast"),
    ),
    "nothing-known": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        (
            "what if I use JAX?",
            "what_if",
            "gpu-memory-exhausted",
            "The knowledge base has nothing on “JAX” here.",
        ),
        ("is it the weather?", "guess", "gpu-memory-exhausted", "has nothing on “weather”"),
        ("why?", "why", "gpu-memory-exhausted", "*from* **gpu-memory-exhausted**"),
    ),
    "not-that-one": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("not that one", "not_that", None, "Not `gpu-memory-exhausted`, then."),
        ("go back", "back", "gpu-memory-exhausted", "Back to the earlier one"),
    ),
    "others": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("what else could it be?", "others", "gpu-memory-exhausted", "what would tell"),
    ),
    "prove": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        ("prove it", "prove", "graph-used-twice", "torchwhy confirm graph-used-twice"),
    ),
    "script": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        ("show me the repro", "repro", "graph-used-twice", "def fixed():"),
    ),
    "source": (
        (INPLACE, "diagnosis", "value-changed-in-place", None),
        ("where does that come from?", "source", "value-changed-in-place", "https://docs.pytorch.org"),
    ),
    "line": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("which line?", "line", "gpu-memory-exhausted", "/home/me/train.py:41"),
        (TWICE, "diagnosis", "graph-used-twice", None),
        ("which line?", "line", "graph-used-twice", "names no line of your own code"),
    ),
    "numbers": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("what do the numbers mean?", "meaning", "gpu-memory-exhausted", "9.04 GiB are in live tensors"),
    ),
    "sure": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        ("are you sure?", "sure", "graph-used-twice", "the message matches"),
    ),
    "did-not-help": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("it still crashes", "failed", "gpu-memory-exhausted", "If the first fix was not it"),
    ),
    "in-short": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("tl;dr", "short", "gpu-memory-exhausted", "In short"),
    ),
    "new-paste-keeps-the-thread": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("why?", "why", "gpu-memory-exhausted", "gpu-memory-exhausted"),
        ("go back", "back", "graph-used-twice", None),
        ("why?", "why", "graph-used-twice", "**graph-used-twice** (Why)"),
    ),
    "by-name": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        ("tell me about loss-becomes-nan", "pick", "loss-becomes-nan", "nan"),
        ("why?", "why", "loss-becomes-nan", "nan"),
    ),
    "second": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("the second one", "pick", None, "## Fix"),
        ("number 99?", "passage", None, None),
    ),
    "first-words": (
        ("hello", "help", None, "Paste an error or a log"),
        ("how do I fix it?", "fix", None, "There is nothing to follow up yet"),
        (TWICE, "diagnosis", "graph-used-twice", None),
        ("thanks!", "thanks", "graph-used-twice", "Glad if it helped"),
    ),
    "foreign": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        ("npm ERR! missing script: build", "foreign", "graph-used-twice", "not something I know"),
        ("how do I fix it?", "fix", "graph-used-twice", "graph-used-twice"),
    ),
    "zh": (
        (f"训练第二步就报错：{TWICE}", "diagnosis", "graph-used-twice", "## 原因"),
        ("为什么？", "why", "graph-used-twice", "*出自* **graph-used-twice** (原因)"),
        ("那怎么解决？", "fix", "graph-used-twice", "(解决办法)"),
        ("有代码吗", "code", "graph-used-twice", "```python"),
        ("怎么确认是这个", "check", "graph-used-twice", "如何确认"),
        ("出处", "source", "graph-used-twice", "参考"),
        ("谢谢", "thanks", "graph-used-twice", "希望有帮助"),
    ),
    "zh-guess": (
        (f"跑着跑着显存就不够了\n{OOM}", "diagnosis", "gpu-memory-exhausted", None),
        ("是不是 batch size 太大了？", "guess", "gpu-memory-exhausted", "批量"),
        ("是碎片的问题吗", "guess", "gpu-memory-exhausted", "碎片"),
        ("如果我用 JAX 呢", "what_if", "gpu-memory-exhausted", "知识库里没有相关内容"),
        ("还是不行", "failed", "gpu-memory-exhausted", "如果第一个办法不奏效"),
    ),
    "zh-others": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("还有别的原因吗", "others", "gpu-memory-exhausted", "还可能是"),
        ("不是这个", "not_that", None, "排除 `gpu-memory-exhausted`"),
        ("哪一行？", "line", None, "train.py:41"),
        ("证明一下", "prove", None, "torchwhy confirm"),
    ),
    "did-that-help": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        ("and if that doesn't help?", "failed", "graph-used-twice", "If the first fix was not it"),
        ("is there an easier way?", "failed", "graph-used-twice", "If the first fix was not it"),
        ("ok I did that, now what?", "check", "graph-used-twice", "(How to check it)"),
        ("it worked!", "thanks", "graph-used-twice", "Glad if it helped"),
    ),
    "how-serious": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        ("is it serious?", "serious", "graph-used-twice", "It stops the program"),
        ("can I just ignore it?", "serious", "graph-used-twice", "*from* **graph-used-twice**"),
        ("tell me about loss-becomes-nan", "pick", "loss-becomes-nan", None),
        ("does it affect accuracy?", "serious", "loss-becomes-nan", "its results are wrong"),
    ),
    "releases": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        ("does this happen in 1.13?", "release", "graph-used-twice", "torch 1.13.1+cu117 on cpu"),
        ("in 0.4 too?", "release", "graph-used-twice", "No run under torch 0.4 is on record"),
        ("which version fixes it?", "release", "graph-used-twice", "old and new: another one would not help"),
    ),
    "for-somebody-new": (
        (OOM, "diagnosis", "gpu-memory-exhausted", None),
        ("explain like I'm new", "simple", "gpu-memory-exhausted", "needs more memory than the card has"),
        ("can you say that again?", "simple", "gpu-memory-exhausted", "In short"),
        ("can you fix my code?", "code", "gpu-memory-exhausted", "```python"),
        ("where should I put it?", "code", "gpu-memory-exhausted", "```python"),
        ("how can I avoid it in the future?", "fix", "gpu-memory-exhausted", "(Fix)"),
        ("give me the repro", "repro", "gpu-memory-exhausted", "def fixed():"),
        ("hm, that's not my error", "not_that", None, "Not `gpu-memory-exhausted`"),
    ),
    "what-i-use": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        (
            "I use DDP",
            "what_if",
            "graph-used-twice",
            "`graph-used-twice` itself says nothing of “DDP”. Its neighbour",
        ),
        ("what about Windows?", "what_if", "graph-used-twice", "has nothing on “Windows”"),
        ("what does retain_graph do?", "passage", "graph-used-twice", "*from* **graph-used-twice** (Fix)"),
        ("and the other one?", "others", "graph-used-twice", "what would tell"),
    ),
    "how-to-find-it": (
        (INPLACE, "diagnosis", "value-changed-in-place", None),
        ("which tensor?", "check", "value-changed-in-place", "(How to check it)"),
        ("how do I find it?", "check", "value-changed-in-place", "(How to check it)"),
        ("is there a way to check?", "check", "value-changed-in-place", "(How to check it)"),
        ("how do I debug it?", "check", "value-changed-in-place", "(How to check it)"),
        ("can I see an example?", "code", "value-changed-in-place", "```python"),
        ("just tell me the fix", "fix", "value-changed-in-place", "(Fix)"),
        ("thanks a lot!", "thanks", "value-changed-in-place", "Glad if it helped"),
        ("怎么定位", "check", "value-changed-in-place", "如何确认"),
        ("哪个张量的问题", "check", "value-changed-in-place", "如何确认"),
    ),
    "common-words-prove-nothing": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        ("how long does the fix take?", "passage", "graph-used-twice", "has nothing on"),
        ("how common is this?", "passage", "graph-used-twice", "has nothing on"),
        ("I don't have a GPU", "passage", "graph-used-twice", "has nothing on"),
    ),
    "whose-fault": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        (
            "is it a bug in pytorch?",
            "release",
            "graph-used-twice",
            "another one would not help, the fix does",
        ),
        ("is this my fault or pytorch's", "release", "graph-used-twice", "torch 1.13.1+cu117 on cpu"),
        ("does it happen on CPU too?", "release", "graph-used-twice", "torch 2.13.0+cpu on cpu"),
        ("where did you get that?", "source", "graph-used-twice", "https://docs.pytorch.org"),
        ("这是 PyTorch 的 bug 吗", "release", "graph-used-twice", "换个版本没有用"),
        ("哪一行出错了", "line", "graph-used-twice", "没有指出你自己的代码行"),
        ("解释得简单点", "simple", "graph-used-twice", "简而言之"),
    ),
    "what-was-tried": (
        (TWICE, "diagnosis", "graph-used-twice", None),
        (
            "I tried retain_graph and it didn't help",
            "guess",
            "graph-used-twice",
            "`retain_graph=True` is right only where",
        ),
        ("加了 retain_graph=True 还是不行", "guess", "graph-used-twice", "只有确实要在同一张图上走两遍"),
        ("I tried everything", "failed", "graph-used-twice", None),
    ),
    "machine": (
        ("what GPU do I have?", "machine", None, "torch.version"),
        (OOM, "diagnosis", "gpu-memory-exhausted", "Facts of"),
        ("is it my machine?", "machine", "gpu-memory-exhausted", "*from* **gpu-memory-exhausted**"),
    ),
    "zh-more": (
        (f"程序报错：{TWICE}", "diagnosis", "graph-used-twice", None),
        ("那怎么检查呢?", "check", "graph-used-twice", "如何确认"),
        ("我用的是 DDP", "what_if", "graph-used-twice", "本身没有提到“DDP”"),
        ("如果还不行呢", "failed", "graph-used-twice", "如果第一个办法不奏效"),
        ("有没有更简单的办法", "failed", "graph-used-twice", "如果第一个办法不奏效"),
        ("严重吗", "serious", "graph-used-twice", "程序会在这里终止"),
        ("可以忽略吗", "serious", "graph-used-twice", "程序会在这里终止"),
        ("会影响精度吗", "serious", "graph-used-twice", "有多严重"),
        ("1.13 也会这样吗", "release", "graph-used-twice", "torch 1.13.1+cu117"),
        ("我是新手，能简单解释一下吗", "simple", "graph-used-twice", "简而言之"),
        ("再说一遍", "simple", "graph-used-twice", "简而言之"),
        ("以后怎么避免", "fix", "graph-used-twice", "(解决办法)"),
        ("脚本给我", "repro", "graph-used-twice", "def fixed():"),
        ("看看我的机器", "machine", "graph-used-twice", "torch.version"),
        ("我没有 GPU", "passage", "graph-used-twice", "知识库里没有相关内容"),
    ),
    "switch-to-zh": (
        (TWICE, "diagnosis", "graph-used-twice", "## Why"),
        ("how do I fix it?", "fix", "graph-used-twice", "(Fix)"),
        ("用中文", "language", "graph-used-twice", "(解决办法)"),
        ("why?", "why", "graph-used-twice", "*出自* **graph-used-twice** (原因)"),
        ("in English please", "language", "graph-used-twice", "(Why)"),
    ),
}


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
        record = {"schema": evidence.SCHEMA, "device": "cpu", "torch": release, "entries": rows}
        (folder / f"torch-{release}.json").write_text(json.dumps(record), "utf-8")


@pytest.mark.parametrize("name", DIALOGUES)
def test_dialogue(auto: Assistant, name: str) -> None:
    talk = auto.conversation()
    for said, intent, entry, wanted in DIALOGUES[name]:
        answer = talk.say(said)
        assert answer.reply is not None
        where = f"{said[:60]!r} -> {answer.reply.intent}, {answer.match and answer.match.id}"
        assert answer.reply.intent == intent, where
        if entry is not None:
            assert answer.match is not None and answer.match.id == entry, where
        if wanted is not None:
            assert wanted in answer.reply.markdown, f"{where}\n{answer.reply.markdown}"
    assert [turn.text for turn in talk.turns] == [line[0] for line in DIALOGUES[name]]


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
