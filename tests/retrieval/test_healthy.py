"""Healthy logs and innocent questions: nothing is wrong there, so nothing is answered (at most 1 %)."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from tests.conftest import ROOT
from torchwhy import Assistant
from torchwhy.paste.complaint import calm, is_log_line
from torchwhy.paste.parse import parse

MAX_ANSWERED_SHARE = 0.01
EVERY = 6  # of the lines one in so many is asked here, of the questions each one


@cache
def rows() -> list[dict[str, Any]]:
    text = (ROOT / "data" / "eval" / "healthy.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_there_are_enough() -> None:
    kinds = [row["kind"] for row in rows()]
    assert kinds.count("line") >= 1000 and kinds.count("question") >= 100
    assert sum(row["source"] == "run" for row in rows()) >= 300
    assert {row["label"] for row in rows()} == {"none"}


def test_healthy_lines_are_not_answered(assistant: Assistant) -> None:
    asked = [row["text"] for row in rows() if row["kind"] != "question"][::EVERY]
    answered = [text for text, answer in zip(asked, assistant.ask_many(asked), strict=True) if answer.match]
    assert len(answered) <= MAX_ANSWERED_SHARE * len(asked), answered


def test_a_list_is_no_answer_where_nothing_is_likelier(assistant: Assistant) -> None:
    asked = [row["text"] for row in rows() if row["kind"] != "question" and row["lang"] == "zh"]
    found = [text for text, answer in zip(asked, assistant.ask_many(asked), strict=True) if answer.found]
    assert asked and not found, found


def test_innocent_questions_are_not_answered(assistant: Assistant) -> None:
    """Few of a hundred: a definition of a word that an entry is about stays near to that entry."""
    asked = [row["text"] for row in rows() if row["kind"] == "question"]
    answered = [text for text, answer in zip(asked, assistant.ask_many(asked), strict=True) if answer.match]
    assert len(answered) <= 5, answered


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("[2025-01-02 10:00:00,123] [INFO] [comm.py:652:init_distributed] cdb=None", "log"),
        ("Initializing TorchBackend in DeepSpeed with backend nccl", "log"),
        ("CUDA_VISIBLE_DEVICES=0,1 python train.py --batch-size 16", "log"),
        ("['sm_75', 'sm_80', 'sm_86', 'sm_90']", "log"),
        ("loss scale 512, overflow steps 0", "log"),
        ("Vulnerability Meltdown:                  Not affected", "log"),
        ("Vulnerability Spec rstack overflow:      Vulnerable: Safe RET, no microcode", "log"),
        (
            "[rank1]:[I1122 19:51:37.5 reducer.cpp:1228] Reducer: comm-optimized memory allocator not found, using regular one",
            "log",
        ),
        ("exported model.onnx (opset 17), max abs diff 2e-07", "log"),
        ("torch.cuda.is_available(): False", "log"),
        ("torch.cuda.is_available() returns False", "plain"),
        ("exported model.onnx, and now its scores are wrong", None),
        ("What is the difference between nn.Module and nn.functional?", "how"),
        ("怎么查看模型的参数量？", "how"),
        ("the loss is nan from step 3 on", None),
        ("Initializing TorchBackend in DeepSpeed with backend nccl\nand then it hangs", None),
        ("CUDA_VISIBLE_DEVICES=0,1 python train.py\n只用到一张卡，为什么？", None),
        ("epoch 3 loss nan acc 0.1", None),
        ("RuntimeError: CUDA error: no kernel image is available for execution on the device", None),
        ("How do I stop the memory from growing?", None),
        ("memory on the card climbs with every epoch", None),
    ],
)
def test_what_is_said_to_be_wrong_is_heard(text: str, mood: str | None) -> None:
    assert calm(parse(text)) == mood


@pytest.mark.parametrize(
    ("line", "log"),
    [
        ("Using device: cuda", True),
        ("Using NLLLoss, my loss values are negative", False),
        ("Loading a trained model by name prints a success message, yet the accuracy equals that of random weights", False),
        ("saved checkpoint to runs/3/last.pt", True),
    ],
)  # fmt: skip
def test_a_sentence_is_no_log_line(line: str, log: bool) -> None:
    assert is_log_line(line) is log
