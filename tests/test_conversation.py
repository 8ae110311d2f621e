"""Scripted dialogues in both languages on the real knowledge base: what is understood, and where each reply comes from."""

from __future__ import annotations

import re

import pytest

from assistant import Assistant, UsageError
from assistant.conversation import Conversation
from assistant.intents import read
from assistant.replies import blocks, split

OOM = """Epoch 3
Traceback (most recent call last):
  File "/home/me/train.py", line 41, in main
    loss.backward()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB. GPU 0 has a total capacity of 9.77 GiB of which 185.50 MiB is free. Including non-PyTorch memory, this process has 9.43 GiB memory in use. Of the allocated memory 9.04 GiB is allocated by PyTorch, and 142.12 MiB is reserved by PyTorch but unallocated."""
TWICE = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."
DEVICE = "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"

# Each line of a dialogue: what is said, the intent understood, the entry at hand afterwards, what the reply must say.
Line = tuple[str, str, "str | None", "str | None"]
DIALOGUES: dict[str, tuple[Line, ...]] = {
    "fix": ((OOM, "diagnosis", "cuda-out-of-memory", "## Fix"), ("how do I fix it?", "fix", "cuda-out-of-memory", "*from* **cuda-out-of-memory** (Fix)")),
    "why-then-code": (
        (TWICE, "diagnosis", "backward-twice", "## Why"),
        ("Why?", "why", "backward-twice", "*from* **backward-twice** (Why)"),
        ("ok, show me the code", "code", "backward-twice", "```python"),
        ("and how do I check that?", "check", "backward-twice", "(How to check it)"),
    ),
    "guess": ((OOM, "diagnosis", "cuda-out-of-memory", None), ("is it the batch size?", "guess", "cuda-out-of-memory", "Halve the batch")),
    "guess-of-a-neighbour": (
        (OOM, "diagnosis", "cuda-out-of-memory", None),
        ("is it fragmentation?", "guess", "cuda-out-of-memory", "**cuda-memory-fragmentation**"),
    ),
    "what-if": (
        (TWICE, "diagnosis", "backward-twice", None),
        ("does retain_graph=True help?", "what_if", "backward-twice", "is right only where one graph is truly walked twice"),
        ("what if I use retain_graph?", "what_if", "backward-twice", "*from* **backward-twice**"),
    ),
    "short-forms": ((OOM, "diagnosis", "cuda-out-of-memory", None), ("what if I use AMP?", "what_if", "cuda-out-of-memory", "autocast")),
    "nothing-known": (
        (OOM, "diagnosis", "cuda-out-of-memory", None),
        ("what if I use JAX?", "what_if", "cuda-out-of-memory", "The knowledge base has nothing on “JAX” here."),
        ("is it the weather?", "guess", "cuda-out-of-memory", "has nothing on “weather”"),
        ("why?", "why", "cuda-out-of-memory", "*from* **cuda-out-of-memory**"),
    ),
    "not-that-one": (
        (OOM, "diagnosis", "cuda-out-of-memory", None),
        ("not that one", "not_that", None, "Not `cuda-out-of-memory`, then."),
        ("go back", "back", "cuda-out-of-memory", "Back to the earlier one"),
    ),
    "others": ((OOM, "diagnosis", "cuda-out-of-memory", None), ("what else could it be?", "others", "cuda-out-of-memory", "what would tell")),
    "prove": ((TWICE, "diagnosis", "backward-twice", None), ("prove it", "prove", "backward-twice", "torchwhy confirm backward-twice")),
    "script": ((TWICE, "diagnosis", "backward-twice", None), ("show me the repro", "repro", "backward-twice", "def fixed():")),
    "source": ((DEVICE, "diagnosis", "device-mismatch", None), ("where does that come from?", "source", "device-mismatch", "https://docs.pytorch.org")),
    "line": (
        (OOM, "diagnosis", "cuda-out-of-memory", None),
        ("which line?", "line", "cuda-out-of-memory", "/home/me/train.py:41"),
        (TWICE, "diagnosis", "backward-twice", None),
        ("which line?", "line", "backward-twice", "names no line of your own code"),
    ),
    "numbers": ((OOM, "diagnosis", "cuda-out-of-memory", None), ("what do the numbers mean?", "meaning", "cuda-out-of-memory", "9.04 GiB are in live tensors")),
    "sure": ((TWICE, "diagnosis", "backward-twice", None), ("are you sure?", "sure", "backward-twice", "the message matches")),
    "did-not-help": ((OOM, "diagnosis", "cuda-out-of-memory", None), ("it still crashes", "failed", "cuda-out-of-memory", "If the first fix was not it")),
    "in-short": ((OOM, "diagnosis", "cuda-out-of-memory", None), ("tl;dr", "short", "cuda-out-of-memory", "In short")),
    "new-paste-keeps-the-thread": (
        (TWICE, "diagnosis", "backward-twice", None),
        (OOM, "diagnosis", "cuda-out-of-memory", None),
        ("why?", "why", "cuda-out-of-memory", "cuda-out-of-memory"),
        ("go back", "back", "backward-twice", None),
        ("why?", "why", "backward-twice", "**backward-twice** (Why)"),
    ),
    "by-name": ((TWICE, "diagnosis", "backward-twice", None), ("tell me about nan-loss", "pick", "nan-loss", "nan"), ("why?", "why", "nan-loss", "nan")),
    "second": ((OOM, "diagnosis", "cuda-out-of-memory", None), ("the second one", "pick", None, "## Fix"), ("number 99?", "passage", None, None)),
    "first-words": (
        ("hello", "help", None, "Paste an error or a log"),
        ("how do I fix it?", "fix", None, "There is nothing to follow up yet"),
        (TWICE, "diagnosis", "backward-twice", None),
        ("thanks!", "thanks", "backward-twice", "Glad if it helped"),
    ),
    "foreign": (
        (TWICE, "diagnosis", "backward-twice", None),
        ("npm ERR! missing script: build", "foreign", "backward-twice", "not something I know"),
        ("how do I fix it?", "fix", "backward-twice", "backward-twice"),
    ),
    "zh": (
        (f"训练第二步就报错：{TWICE}", "diagnosis", "backward-twice", "## 原因"),
        ("为什么？", "why", "backward-twice", "*出自* **backward-twice** (原因)"),
        ("那怎么解决？", "fix", "backward-twice", "(解决办法)"),
        ("有代码吗", "code", "backward-twice", "```python"),
        ("怎么确认是这个", "check", "backward-twice", "如何确认"),
        ("出处", "source", "backward-twice", "参考"),
        ("谢谢", "thanks", "backward-twice", "希望有帮助"),
    ),
    "zh-guess": (
        (f"跑着跑着显存就不够了\n{OOM}", "diagnosis", "cuda-out-of-memory", None),
        ("是不是 batch size 太大了？", "guess", "cuda-out-of-memory", "批量"),
        ("是碎片的问题吗", "guess", "cuda-out-of-memory", "碎片"),
        ("如果我用 JAX 呢", "what_if", "cuda-out-of-memory", "知识库里没有相关内容"),
        ("还是不行", "failed", "cuda-out-of-memory", "如果第一个办法不奏效"),
    ),
    "zh-others": (
        (OOM, "diagnosis", "cuda-out-of-memory", None),
        ("还有别的原因吗", "others", "cuda-out-of-memory", "还可能是"),
        ("不是这个", "not_that", None, "排除 `cuda-out-of-memory`"),
        ("哪一行？", "line", None, "train.py:41"),
        ("证明一下", "prove", None, "torchwhy confirm"),
    ),
    "did-that-help": (
        (TWICE, "diagnosis", "backward-twice", None),
        ("and if that doesn't help?", "failed", "backward-twice", "If the first fix was not it"),
        ("is there an easier way?", "failed", "backward-twice", "If the first fix was not it"),
        ("ok I did that, now what?", "check", "backward-twice", "(How to check it)"),
        ("it worked!", "thanks", "backward-twice", "Glad if it helped"),
    ),
    "how-serious": (
        (TWICE, "diagnosis", "backward-twice", None),
        ("is it serious?", "serious", "backward-twice", "It stops the program"),
        ("can I just ignore it?", "serious", "backward-twice", "*from* **backward-twice**"),
        ("tell me about nan-loss", "pick", "nan-loss", None),
        ("does it affect accuracy?", "serious", "nan-loss", "its results are wrong"),
    ),
    "releases": (
        (TWICE, "diagnosis", "backward-twice", None),
        ("does this happen in 1.13?", "release", "backward-twice", "torch 1.13.1+cu117 on cpu"),
        ("in 0.4 too?", "release", "backward-twice", "No run under torch 0.4 is on record"),
        ("which version fixes it?", "release", "backward-twice", "old and new: another one would not help"),
    ),
    "for-somebody-new": (
        (OOM, "diagnosis", "cuda-out-of-memory", None),
        ("explain like I'm new", "simple", "cuda-out-of-memory", "need more memory than the GPU has"),
        ("can you say that again?", "simple", "cuda-out-of-memory", "In short"),
        ("can you fix my code?", "code", "cuda-out-of-memory", "```python"),
        ("where should I put it?", "code", "cuda-out-of-memory", "```python"),
        ("how can I avoid it in the future?", "fix", "cuda-out-of-memory", "(Fix)"),
        ("give me the repro", "repro", "cuda-out-of-memory", "def fixed():"),
        ("hm, that's not my error", "not_that", None, "Not `cuda-out-of-memory`"),
    ),
    "what-i-use": (
        (TWICE, "diagnosis", "backward-twice", None),
        ("I use DDP", "what_if", "backward-twice", "`backward-twice` itself says nothing of “DDP”. Its neighbour"),
        ("what about Windows?", "what_if", "backward-twice", "has nothing on “Windows”"),
        ("what does retain_graph do?", "passage", "backward-twice", "*from* **backward-twice** (Fix)"),
        ("and the other one?", "others", "backward-twice", "what would tell"),
    ),
    "how-to-find-it": (
        (DEVICE, "diagnosis", "device-mismatch", None),
        ("which tensor?", "check", "device-mismatch", "(How to check it)"),
        ("how do I find it?", "check", "device-mismatch", "(How to check it)"),
        ("is there a way to check?", "check", "device-mismatch", "(How to check it)"),
        ("how do I debug it?", "check", "device-mismatch", "(How to check it)"),
        ("can I see an example?", "code", "device-mismatch", "```python"),
        ("just tell me the fix", "fix", "device-mismatch", "(Fix)"),
        ("thanks a lot!", "thanks", "device-mismatch", "Glad if it helped"),
        ("怎么定位", "check", "device-mismatch", "如何确认"),
        ("哪个张量的问题", "check", "device-mismatch", "如何确认"),
    ),
    "common-words-prove-nothing": (
        (TWICE, "diagnosis", "backward-twice", None),
        ("how long does the fix take?", "passage", "backward-twice", "has nothing on"),
        ("how common is this?", "passage", "backward-twice", "has nothing on"),
        ("I don't have a GPU", "passage", "backward-twice", "has nothing on"),
    ),
    "whose-fault": (
        (TWICE, "diagnosis", "backward-twice", None),
        ("is it a bug in pytorch?", "release", "backward-twice", "another one would not help, the fix does"),
        ("is this my fault or pytorch's", "release", "backward-twice", "torch 1.13.1+cu117 on cpu"),
        ("does it happen on CPU too?", "release", "backward-twice", "torch 2.13.0+cpu on cpu"),
        ("where did you get that?", "source", "backward-twice", "https://docs.pytorch.org"),
        ("这是 PyTorch 的 bug 吗", "release", "backward-twice", "换个版本没有用"),
        ("哪一行出错了", "line", "backward-twice", "没有指出你自己的代码行"),
        ("解释得简单点", "simple", "backward-twice", "简而言之"),
    ),
    "what-was-tried": (
        (TWICE, "diagnosis", "backward-twice", None),
        ("I tried retain_graph and it didn't help", "guess", "backward-twice", "`retain_graph=True` is right only where"),
        ("加了 retain_graph=True 还是不行", "guess", "backward-twice", "只有确实要在同一张图上走两遍"),
        ("I tried everything", "failed", "backward-twice", None),
    ),
    "machine": (
        ("what GPU do I have?", "machine", None, "torch.version"),
        (OOM, "diagnosis", "cuda-out-of-memory", "Facts of"),
        ("is it my machine?", "machine", "cuda-out-of-memory", "*from* **cuda-out-of-memory**"),
    ),
    "zh-more": (
        (f"程序报错：{TWICE}", "diagnosis", "backward-twice", None),
        ("那怎么检查呢?", "check", "backward-twice", "如何确认"),
        ("我用的是 DDP", "what_if", "backward-twice", "本身没有提到“DDP”"),
        ("如果还不行呢", "failed", "backward-twice", "如果第一个办法不奏效"),
        ("有没有更简单的办法", "failed", "backward-twice", "如果第一个办法不奏效"),
        ("严重吗", "serious", "backward-twice", "程序会在这里终止"),
        ("可以忽略吗", "serious", "backward-twice", "程序会在这里终止"),
        ("会影响精度吗", "serious", "backward-twice", "有多严重"),
        ("1.13 也会这样吗", "release", "backward-twice", "torch 1.13.1+cu117"),
        ("我是新手，能简单解释一下吗", "simple", "backward-twice", "简而言之"),
        ("再说一遍", "simple", "backward-twice", "简而言之"),
        ("以后怎么避免", "fix", "backward-twice", "(解决办法)"),
        ("脚本给我", "repro", "backward-twice", "def fixed():"),
        ("看看我的机器", "machine", "backward-twice", "torch.version"),
        ("我没有 GPU", "passage", "backward-twice", "知识库里没有相关内容"),
    ),
    "switch-to-zh": (
        (TWICE, "diagnosis", "backward-twice", "## Why"),
        ("how do I fix it?", "fix", "backward-twice", "(Fix)"),
        ("用中文", "language", "backward-twice", "(解决办法)"),
        ("why?", "why", "backward-twice", "*出自* **backward-twice** (原因)"),
        ("in English please", "language", "backward-twice", "(Why)"),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def auto() -> Assistant:
    return Assistant()


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
    for said in ("why?", "how do I fix it?", "how do I check it?", "show me the code", "is it the batch size?", "still fails", "tl;dr"):
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
    without = next(id for id, entry in auto.pitfalls.items() if entry.no_repro)
    talk.choose(without)
    reply = talk.say("prove it").reply
    assert reply is not None and reply.action is None and auto.pitfalls[without].no_repro.en.strip()[:40] in reply.markdown  # type: ignore[union-attr]


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
    assert answer.facts is not None and answer.facts.origin == "report", "the machine that failed, not this one"
    reply = other.say("check my machine").reply
    assert reply is not None and "2.1.0" in reply.markdown


def test_a_users_words_are_no_markup(auto: Assistant) -> None:
    talk = auto.conversation()
    talk.say(TWICE)
    for said in ("what if I use [x](http://evil)?", "is it **bold** or <b>?", "what about `a` _b_ # c?", "does ![x](http://evil/p.png) help?"):
        reply = talk.say(said).reply
        assert reply is not None and not reply.found
        assert re.search(r"“`.*`”", reply.markdown), reply.markdown


def test_ruling_out_everything_ends(auto: Assistant) -> None:
    talk = auto.conversation()
    talk.say(OOM)
    seen = ["cuda-out-of-memory"]
    for _ in range(40):
        answer = talk.say("not that one")
        if answer.match is None:
            break
        seen.append(answer.match.id)
    assert answer.match is None and answer.reply is not None and not answer.reply.found
    assert len(seen) == len(set(seen)) > 3, "nothing is offered twice"


def test_choosing_a_candidate(auto: Assistant) -> None:
    talk = auto.conversation()
    first = talk.say(OOM)
    second = first.candidates[1].id
    answer = talk.choose(second)
    assert answer.match is not None and answer.match.id == second and talk.focus is not None and talk.focus.id == second
    assert talk.say("why?").match.id == second  # type: ignore[union-attr]
    with pytest.raises(UsageError, match="no such entry"):
        talk.choose("no-such-entry")


@pytest.mark.parametrize("text", ["", "   \n", "?", "\x1b[31m", "[bold]x[/bold]", "`" * 50, "a" * 5000, "\u202eevil\u202c", "何", "1", "0" * 300])
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
    assert answer.match is not None and answer.match.id == "cuda-out-of-memory"


def test_a_language_that_was_asked_for_stays() -> None:
    talk = Conversation(Assistant(lang="zh"))
    assert talk.say(TWICE).lang == "zh" and talk.say("why?").lang == "zh"


@pytest.mark.parametrize(
    "question",
    ["my loss is nan", "how do I fix a nan loss", "why is my loss nan", "DataLoader 卡住了怎么办", "为什么我的loss是nan", "梯度裁剪怎么写", "how do I use DDP",
     "what does CUDA error: device-side assert triggered mean", "训练的时候显存会不断增加是什么问题", "is there a memory leak in my dataloader workers when num_workers is large and I store lists of python objects in the data set"],
)  # fmt: skip
def test_whole_questions_are_no_follow_ups(question: str) -> None:
    intent = read(question)
    assert intent is None or intent.name in ("guess", "what_if")


def test_sections_are_cut_at_headings_only() -> None:
    page = "# Title\n\nlead\n\n## Fix\n\n```python\n# not a heading\n## nor this\n```\n\n````text\n```\n## nor that\n````\n"
    cut = list(split(page, "x"))
    assert [section.title for section in cut] == ["Title", "Fix"] and "## nor that" in cut[1].body


def test_code_stays_with_its_sentence() -> None:
    assert blocks("One.\n\nDo this:\n\n```python\na = 1\n\nb = 2\n```\n\nLast.") == ["One.", "Do this:\n\n```python\na = 1\n\nb = 2\n```", "Last."]
