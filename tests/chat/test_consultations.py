"""Consultations: from a family to the entry, by replies in users' words, in at most three questions.

Each starts from members that are equally likely, so that it is the replies that decide, not the ranking.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fixture_kb import fixture_world
from tests.support.shipped import knowledge
from torchwhy import Assistant
from torchwhy.answers.answer import FamilyMatch, Match
from torchwhy.chat.consultation import next_step, opened, read_reply

MAX_QUESTIONS = 3
# (language, family, entry, what this user says to each of the family's checks)
CONSULTATIONS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("en", "gpu-memory-grows", "loss-tensor-accumulated", ("memory_allocated() rises", "in training", "no, all the same")),
    ("en", "gpu-memory-grows", "validation-without-no-grad", ("allocated rises", "only when validation runs", "no")),
    ("en", "gpu-memory-grows", "gpu-memory-held-after-exit", ("after the script ended it is still there", "I don't know", "no")),
    ("zh", "gpu-memory-grows", "loss-tensor-accumulated", ("memory_allocated() 一直涨", "训练时", "否")),
    ("zh", "gpu-memory-grows", "validation-without-no-grad", ("1", "只有验证时", "不是")),
    ("en", "host-memory-grows", "host-memory-grows", ("no, it is flat then", "no, during training", "no, just epochs")),
    ("en", "host-memory-grows", "validation-without-no-grad", ("yes, still", "yes", "no")),
    ("zh", "host-memory-grows", "host-memory-grows", ("不涨了", "不是", "不是")),
    ("zh", "host-memory-grows", "validation-without-no-grad", ("还涨", "是，验证的时候", "不")),
    ("en", "out-of-memory-at-once", "oom-gpu-used-by-other-process", ("yes, another user's process", "first forward", "no")),
    ("en", "out-of-memory-at-once", "training-memory-composition", ("no, nothing else", "in optimizer.step()", "no")),
    ("en", "out-of-memory-at-once", "validation-without-no-grad", ("no", "in the first validation", "don't know")),
    ("zh", "out-of-memory-at-once", "training-memory-composition", ("没有别的进程", "第二个 iteration", "不能")),
    ("zh", "out-of-memory-at-once", "cuda-out-of-memory", ("否", "第一次前向", "能")),
    ("en", "training-hangs", "rendezvous-failed", ("several, with one it runs", "in init_process_group, before the first step", "all at 0 %")),
    ("en", "training-hangs", "elastic-child-failed", ("several processes", "after a few epochs", "one process is gone")),
    ("en", "training-hangs", "gpu-idle-data-bound", ("one process, it hangs there", "at some step", "all at 0 %")),
    ("zh", "training-hangs", "rendezvous-failed", ("多进程；单进程能跑", "第一步之前", "全部 0%")),
    ("zh", "training-hangs", "nccl-timeout", ("多卡", "保存时", "全部 100%")),
    ("en", "slow-or-idle", "cpu-thread-oversubscription", ("no", "it is slow from the start", "several processes or threads on the CPU")),
    ("en", "slow-or-idle", "loss-tensor-accumulated", ("I don't know", "yes, slower and slower", "3")),
    ("en", "slow-or-idle", "dataloader-workers-slow", ("yes", "no", "the wait at the start of each epoch")),
    ("zh", "slow-or-idle", "gpu-idle-data-bound", ("是，快了很多", "否", "每一步都慢，GPU 利用率低")),
    ("zh", "slow-or-idle", "loss-tensor-accumulated", ("不知道", "是，越来越慢", "不清楚")),
    ("en", "first-step-slow", "dynamo-recompile-limit", ("yes, torch.compile", "again with each new shape", "seconds")),
    ("en", "first-step-slow", "cudnn-benchmark-variable-input", ("no", "again whenever the size changes: different sizes", "seconds")),
    ("zh", "first-step-slow", "dataloader-workers-slow", ("没有", "每个 epoch 的第一个 batch", "不知道")),
    ("en", "loss-is-nan", "amp-fp16-overflow", ("after a while", "it goes away without amp", "none of these")),
    ("en", "loss-is-nan", "log-of-zero", ("from the first step", "it stays", "a hand-written log in the loss")),
    ("zh", "loss-is-nan", "all-targets-ignored", ("一开始", "还会出现", "带 ignore_index 的交叉熵")),
    ("zh", "loss-is-nan", "nan-in-input-data", ("从第一步", "单精度也会", "数据里有 nan")),
    ("en", "loss-does-not-fall", "nll-vs-cross-entropy", ("normal", "shapes are right", "there is a softmax before CrossEntropyLoss")),
    ("en", "loss-does-not-fall", "zero-grad-forgotten", ("larger from step to step", "equal and independent", "raw outputs")),
    ("zh", "loss-does-not-fall", "target-size-broadcast", ("正常", "不一致，(N,) 和 (N, 1)", "原始输出")),
    ("en", "train-and-eval-disagree", "train-eval-mode", ("eval() is better", "I don't know", "no, I forgot to call eval")),
    ("zh", "train-and-eval-disagree", "batchnorm-freeze", ("加了 eval() 反而变差", "不", "是")),
    ("en", "reloaded-or-resumed-disagrees", "optimizer-state-load-mismatch", ("yes, both empty", "from training on", "no")),
    ("zh", "reloaded-or-resumed-disagrees", "state-dict-module-prefix", ("不是，有 missing_keys", "评估结果", "不是")),
    ("en", "two-runs-disagree", "deterministic-algorithms", ("tiny, 1e-7", "yes, same input", "yes")),
    ("zh", "two-runs-disagree", "worker-duplicate-augmentation", ("一开始就差很多", "不一样，增强不同", "是")),
    ("en", "several-gpus-no-better", "visible-gpus-not-used", ("only one works", "slower", "not sure")),
    ("zh", "several-gpus-no-better", "gradient-accumulation", ("都用满了", "精度变差", "不知道")),
    ("en", "one-device-works", "no-kernel-image", ("no", "it runs on the CPU", "no")),
    ("zh", "one-device-works", "half-not-implemented-on-cpu", ("能", "CPU 上报错，GPU 上能跑", "是")),
    ("en", "dies-without-a-word", "host-out-of-memory", ("137", "yes", "with a smaller model")),
    ("zh", "dies-without-a-word", "dataloader-bus-error-shm", ("总线错误", "能", "num_workers=0 就正常")),
    ("en", "gpu-not-found", "torch-without-cuda", ("it says +cpu", "it works, with the same or a newer CUDA", "False, and the variable is not set")),
    ("zh", "gpu-not-found", "driver-too-old", ("有 CUDA 版本号", "驱动太旧", "3")),
    ("zh", "exported-or-quantised-differs", "train-eval-mode", ("没有", "不一致", "不知道")),
)  # fmt: skip


def equally_likely(id: str) -> FamilyMatch:
    """The family with nothing known of its members."""
    family = knowledge().families[id]
    share = 1 / len(family.members)
    members = tuple(
        Match(member, share, (), {}, load=knowledge().pitfalls.__getitem__) for member in family.members
    )
    return FamilyMatch(family, 1.0, members, family.checks)


@pytest.mark.parametrize(
    ("lang", "id", "entry", "replies"),
    CONSULTATIONS,
    ids=[f"{lang}-{id}-{entry}" for lang, id, entry, _ in CONSULTATIONS],
)
def test_a_consultation_ends_at_the_right_entry(
    lang: str, id: str, entry: str, replies: tuple[str, ...]
) -> None:
    """At most three questions, each reply understood, and the entry first in the end.

    Members that the replies do not tell apart stand level; the entry is then among the first four of those.
    """
    consultation = opened(equally_likely(id))
    more, questions = True, 0
    assert consultation is not None
    while more:
        reply = replies[consultation.current]
        understood, answer = read_reply(reply, consultation.check)
        assert understood, f"{reply!r} is not understood as an answer to {consultation.check.ask[lang]!r}"
        consultation, more = next_step(consultation, answer)
        questions += 1
    assert questions <= MAX_QUESTIONS
    first = [
        each.id for each in consultation.members if each.probability == consultation.members[0].probability
    ]
    assert entry in first[:4], [(each.id, each.probability) for each in consultation.members[:5]]


def test_there_are_scripted_consultations_enough() -> None:
    """Forty or more, each family among them, a good part of them in each language."""
    assert len(CONSULTATIONS) >= 40
    assert {id for _, id, _, _ in CONSULTATIONS} == set(knowledge().families)
    assert min(sum(lang == each for lang, *_ in CONSULTATIONS) for each in ("en", "zh")) >= 15


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    with fixture_world(Path(tmp_path_factory.mktemp("consultations")), "auto") as assistant:
        yield assistant


def test_the_chat_asks_and_moves_with_the_replies(small: Assistant) -> None:
    talk = small.conversation()
    first = talk.say("slowly the card fills up")
    assert first.match is None and first.family is not None and first.found
    assert first.family.id == "memory-fills-up" and len(first.family.checks) == 2
    assert first.reply is not None and first.reply.sections[-1].kind == "question"
    second = talk.say("I don't know")
    assert second.reply is not None and second.reply.intent == "consult"
    assert second.reply.sections[-1].kind == "question" and talk.focus is None
    last = talk.say("yes" if "half the batch" in second.reply.markdown else "next to nothing")
    assert talk.focus is not None and talk.focus.id == "gpu-memory-exhausted"
    assert last.match is not None and last.match.id == "gpu-memory-exhausted" and last.family is None
    fix = talk.say("how do I fix it?")
    assert fix.reply is not None and "*from* **gpu-memory-exhausted** (Fix)" in fix.reply.markdown


def test_what_the_text_answers_is_not_asked_again(small: Assistant) -> None:
    answer = small.ask("the card fills up, half the batch works")
    assert answer.family is not None
    assert [item.id for item in answer.family.answered] == ["yes"]
    assert len(answer.family.checks) == 1 and answer.family.members[0].id == "gpu-memory-exhausted"


def test_the_chat_consults_in_chinese(small: Assistant) -> None:
    talk = small.conversation()
    first = talk.say("训练的时候显存慢慢占满，怎么回事")
    assert first.family is not None and first.reply is not None and "先问一句" in first.reply.markdown
    talk.say("不知道")
    turned = talk.say("占显卡的一大部分" if "一大部分" in talk.turns[-1].answer.reply.markdown else "不能")  # type: ignore[union-attr]
    assert turned.match is not None and turned.match.id == "gpu-memory-in-pieces"


def test_a_new_paste_ends_the_consultation(small: Assistant) -> None:
    talk = small.conversation()
    talk.say("the card fills up")
    answer = talk.say(
        "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."
    )
    assert answer.match is not None and answer.match.id == "graph-used-twice"
    assert talk.consultation is None


def test_a_member_can_be_picked_instead(small: Assistant) -> None:
    talk = small.conversation()
    talk.say("the card fills up")
    picked = talk.choose("gpu-memory-in-pieces")
    assert picked.match is not None and picked.match.id == "gpu-memory-in-pieces"
    assert talk.consultation is None
