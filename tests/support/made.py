"""Entries and stores made by hand, small enough to know everything about."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from torchwhy.knowledge.entry import LookAlike, Pitfall, Says, Signature, Source
from torchwhy.knowledge.load import Knowledge
from torchwhy.knowledge.questions import AskedQuestion
from torchwhy.retrieval.compile import write
from torchwhy.retrieval.store import Store
from torchwhy.text.language import Bilingual

MEMORY = Pitfall(
    id="gpu-out-of-memory",
    category="memory",
    kind="error",
    effect="crash",
    folder="kb/memory/gpu-out-of-memory",
    title=Bilingual("The batch does not fit the card", "一批数据放不进显卡"),
    asks={
        "en": ("training dies when the batch grows", "how many images does one card hold"),
        "zh": ("批量一大就报错", "显存不够怎么办"),
    },
    cause=Bilingual(
        "Activations of every layer are kept.\n\nThey grow with the batch.", "每一层的激活都被保留。"
    ),
    fix=Bilingual("Halve the batch:\n\n```python\nhidden_marker = 1\n```\n", "把批量减半。"),
    check=Bilingual("Print the peak.", "打印峰值。"),
    sources=(Source(url="https://example.org/memory", title="memory"),),
    signatures=(
        Signature(
            r"CUDA out of memory\. Tried to allocate (?P<tried>[\d.]+ [KMG]iB)(?: \((?P<gpu>GPU \d+))?",
            "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 8 GiB)",
            ">=1.0",
            None,
            (Says(Bilingual("It wanted {tried}.", "它想要 {tried}。")),),
        ),
        Signature(
            "status alloc failed",
            "RuntimeError: CUBLAS error: status alloc failed when calling cublasCreate",
            None,
            r"cublas(?:Create|Destroy)",
        ),
    ),
    look_alikes=(LookAlike("loss-is-nan", "the loss printed nan after one epoch of training on my card"),),
)
NAN = Pitfall(
    id="loss-is-nan",
    category="numerics",
    kind="silent",
    effect="wrong-result",
    folder="kb/numerics/loss-is-nan",
    title=Bilingual("A logarithm of zero poisons the loss", "对零取对数毁掉损失"),
    asks={
        "en": ("the loss becomes nan after some steps", "weights turn into nan overnight"),
        "zh": ("训练几步之后损失变成 nan", "权重全是 nan"),
    },
    cause=Bilingual("log(0) is minus infinity.", "零的对数是负无穷。"),
    fix=Bilingual("Add a small number before the logarithm.", "取对数之前加一个很小的数。"),
    check=Bilingual("Look for zeros.", "找一找零。"),
    sources=(Source(url="https://example.org/nan", title="nan"),),
    signatures=(Signature(r"\bnan\b", "epoch 1 loss nan"),),
    symptom="symptom: nan",
)


def other(id: str, words: str) -> Pitfall:
    """One more entry, whose English texts are `words` and whose Chinese ones say nothing."""
    return Pitfall(
        id=id,
        category="other",
        kind="error",
        effect="crash",
        folder=f"kb/other/{id}",
        title=Bilingual(words, "标题"),
        asks={"en": (f"{words} question",), "zh": ("提问",)},
        cause=Bilingual(f"{words} because", "原因"),
        fix=Bilingual(f"{words} instead", "办法"),
        check=Bilingual(f"{words} seen", "查看"),
        sources=(),
    )


def known(*entries: Pitfall, renamed: dict[str, str] | None = None) -> Knowledge:
    return Knowledge({entry.id: entry for entry in entries}, (), renamed or {}, "f" * 64)


def open_store(
    folder: Path,
    *entries: Pitfall,
    renamed: dict[str, str] | None = None,
    questions: tuple[AskedQuestion, ...] = (),
) -> Store:
    """A compiled store of these entries, without any cache."""
    write(folder / "knowledge.sqlite", replace(known(*entries, renamed=renamed), questions=questions))
    meta: dict[str, Any] = {"fingerprint": "made", "problems": [], "entries": len(entries)}
    return Store(folder, meta)
