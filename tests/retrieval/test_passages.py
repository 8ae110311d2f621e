"""What an entry is found by. Oracle: two entries by hand, and what stands in them."""

from __future__ import annotations

import pytest

from tests.support.made import MEMORY, NAN
from torchwhy.knowledge.entry import LookAlike
from torchwhy.retrieval.passages import Passage, all_passages, document, paragraph, passages


def test_every_passage_in_its_order() -> None:
    id = "gpu-out-of-memory"
    assert list(passages(MEMORY)) == [
        Passage(id, "title", "en", "The batch does not fit the card"),
        Passage(id, "ask", "en", "training dies when the batch grows"),
        Passage(id, "ask", "en", "how many images does one card hold"),
        Passage(id, "cause", "en", "Activations of every layer are kept."),
        Passage(id, "check", "en", "Print the peak."),
        Passage(id, "title", "zh", "一批数据放不进显卡"),
        Passage(id, "ask", "zh", "批量一大就报错"),
        Passage(id, "ask", "zh", "显存不够怎么办"),
        Passage(id, "cause", "zh", "每一层的激活都被保留。"),
        Passage(id, "check", "zh", "打印峰值。"),
        Passage(
            id,
            "example",
            "en",
            "OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 8 GiB)",
        ),
        Passage(
            id, "example", "en", "RuntimeError: CUBLAS error: status alloc failed when calling cublasCreate"
        ),
    ]


def near_misses(text: str) -> list[Passage]:
    owner = MEMORY._replace(
        look_alikes=(LookAlike("loss-is-nan", text), LookAlike("loss-is-nan"), LookAlike("gone", "x"))
    )
    every = list(all_passages({owner.id: owner, NAN.id: NAN}))
    assert every[: len(list(passages(MEMORY)))] == list(passages(MEMORY))
    rest = every[len(list(passages(MEMORY))) :]
    assert rest[: len(list(passages(NAN)))] == list(passages(NAN))
    return rest[len(list(passages(NAN))) :]


def test_a_near_miss_is_a_text_of_the_entry_that_owns_it() -> None:
    assert near_misses("the loss printed nan") == [
        Passage("loss-is-nan", "ask", "en", "the loss printed nan")
    ]
    assert near_misses("损失变成了 nan") == [Passage("loss-is-nan", "ask", "zh", "损失变成了 nan")]
    found = near_misses("torch.FooError: nan here\n\n")
    assert found == [Passage("loss-is-nan", "example", "en", "FooError: nan here")]


@pytest.mark.parametrize(
    ("markdown", "wanted"),
    [
        ("one\nline\n\ntwo", "one\nline"),
        ("```python\nx\n\ny\n```\n\nafter", "after"),
        ("before ```x``` after\n\n", "before   after"),
        ("", ""),
    ],
)
def test_the_first_paragraph(markdown: str, wanted: str) -> None:
    assert paragraph(markdown) == wanted


def test_the_columns_of_an_entry() -> None:
    found = document(MEMORY)
    assert list(found) == ["name", "asks", "messages", "body"]
    assert found["name"] == "gpu out of memory\nThe batch does not fit the card\n一批数据放不进显卡"
    assert found["asks"].split("\n") == [*MEMORY.asks["en"], *MEMORY.asks["zh"]]
    assert found["messages"].split("\n") == [signature.example for signature in MEMORY.signatures]
    assert all(
        text in found["body"]
        for text in ("They grow with the batch.", "Halve the batch:", "Print the peak.", "打印峰值。")
    )
    assert "hidden_marker" not in found["body"]
