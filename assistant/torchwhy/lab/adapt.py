"""`python -m torchwhy.lab.adapt FOREIGN.jsonl`: train the adapter of the default model and write
`adapter.npz` and `adapter.json`.

Needs torch and scikit-learn; run by maintainers, some ten minutes on two cores. Trained on the knowledge's
own titles, asks and examples, and on texts that no entry covers; never on the texts that measure the ranking.
Only low-rank additions to the upper half of the layers are learned, by telling the entries apart (cosine to
one direction per entry, several for what is foreign), so the model below stays what it was. The same input on
the same machine gives the same file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from pathlib import Path
from typing import Any

from torchwhy.embedding import adapter
from torchwhy.embedding.encoders import TorchEncoder
from torchwhy.embedding.model import original
from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.paste.parse import parse
from torchwhy.retrieval.compile import open_store
from torchwhy.retrieval.matcher import query_text
from torchwhy.retrieval.tokens import for_meaning

from .evaluate import load_rows

RANK = 16
EPOCHS = 3
BATCH = 48
RATE = 1e-3
SHARPNESS = 20.0  # what cosines are multiplied by before the softmax
DIRECTIONS = 8  # for foreign texts, in training
CENTRES = 20  # of foreign texts, kept for the discriminant
LONGEST = 160  # tokens of a training text
FIELDS = ("title", "ask", "example")
WEIGHTS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)


class Upper:
    """The upper layers with trainable additions, over the lower layers' output, which is worked out once."""

    def __init__(self, inner: Any) -> None:
        import torch

        self.torch, self.inner = torch, inner
        for parameter in inner.parameters():
            parameter.requires_grad_(False)
        count = int(inner.config.num_hidden_layers)
        self.first = (count + 1) // 2
        self.layers = inner.encoder.layer[self.first :]
        self.added: dict[str, Any] = {}
        for at in range(self.first, count):
            for part in WEIGHTS:
                self._adapt(f"encoder.layer.{at}.{part}")

    def _adapt(self, name: str) -> None:
        torch, linear = self.torch, self.inner.get_submodule(name)
        a = torch.nn.Parameter(torch.randn(RANK, linear.in_features) / linear.in_features**0.5)
        b = torch.nn.Parameter(torch.zeros(linear.out_features, RANK))
        self.added[f"{name}.weight.A"], self.added[f"{name}.weight.B"] = a, b
        linear.register_forward_hook(lambda module, given, out: out + given[0] @ a.T @ b.T)

    def below(self, tokens: list[list[int]]) -> list[Any]:
        """For each text the output of the lower layers, (its tokens, dimension), half precision."""
        torch, result = self.torch, [None] * len(tokens)
        order = sorted(range(len(tokens)), key=lambda at: len(tokens[at]))
        for start in range(0, len(order), 32):
            chunk = order[start : start + 32]
            ids = torch.nn.utils.rnn.pad_sequence(
                [torch.tensor(tokens[at]) for at in chunk], batch_first=True
            )
            mask = torch.nn.utils.rnn.pad_sequence(
                [torch.ones(len(tokens[at])) for at in chunk], batch_first=True
            )
            with torch.no_grad():
                hidden = self.inner.embeddings(input_ids=ids)
                for layer in self.inner.encoder.layer[: self.first]:
                    hidden = self._layer(layer, hidden, mask)
            for row, at in enumerate(chunk):
                result[at] = hidden[row, : len(tokens[at])].half()
        return result

    def _layer(self, layer: Any, hidden: Any, mask: Any) -> Any:
        out = layer(hidden, (1 - mask)[:, None, None, :] * -1e9)
        return out[0] if isinstance(out, tuple) else out

    def __call__(self, below: list[Any]) -> Any:
        """Unit sentence vectors, (texts, dimension)."""
        torch = self.torch
        hidden = torch.nn.utils.rnn.pad_sequence([one.float() for one in below], batch_first=True)
        mask = torch.nn.utils.rnn.pad_sequence([torch.ones(len(one)) for one in below], batch_first=True)
        for layer in self.layers:
            hidden = self._layer(layer, hidden, mask)
        mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return torch.nn.functional.normalize(mean, dim=-1)


def train(upper: Upper, below: list[Any], owners: list[int], entries: int) -> list[float]:
    """Fit the additions; gives the mean loss of each epoch. `owners[i]`: the number of text i's entry, or
    `entries` for a foreign text.
    """
    torch = upper.torch
    functional = torch.nn.functional
    upper.inner.eval()
    with torch.no_grad():
        start = torch.cat([upper(below[at : at + BATCH]) for at in range(0, len(below), BATCH)])
    owner = torch.tensor(owners)
    directions = torch.stack([start[owner == entry].mean(0) for entry in range(entries)])
    foreign = start[owner == entries]
    directions = torch.cat([directions, foreign[:: max(1, len(foreign) // DIRECTIONS)][:DIRECTIONS]])
    directions = torch.nn.Parameter(functional.normalize(directions, dim=-1))
    optimizer = torch.optim.AdamW(
        [
            {"params": list(upper.added.values()), "lr": RATE, "weight_decay": 0.01},
            {"params": [directions], "lr": 3e-3, "weight_decay": 0.0},
        ]
    )
    total = EPOCHS * -(-len(below) // BATCH)
    warm = max(1, min(60, total // 10))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / warm) * max(0.02, 1 - step / total)
    )
    upper.inner.train()  # dropout
    means = []
    for epoch in range(EPOCHS):
        losses: list[float] = []
        for chunk in batches(below, epoch):
            scores = (
                SHARPNESS * upper([below[at] for at in chunk]) @ functional.normalize(directions, dim=-1).T
            )
            scores = torch.cat(
                [scores[:, :entries], torch.logsumexp(scores[:, entries:], 1, keepdim=True)], 1
            )
            loss = functional.cross_entropy(scores, owner[chunk], label_smoothing=0.1)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
            if len(losses) % 20 == 0:
                seen = f"{min(len(losses) * BATCH, len(below))} of {len(below)} texts"
                print(
                    f"epoch {epoch + 1} of {EPOCHS}: {seen}, loss {sum(losses[-20:]) / 20:.3f}",
                    file=sys.stderr,
                )
        means.append(sum(losses) / len(losses))
    upper.inner.eval()
    return means


def batches(below: list[Any], epoch: int) -> list[list[int]]:
    """Every text once, texts of like length together, in a random order that is the same every time."""
    rng = random.Random(epoch)
    order = list(range(len(below)))
    rng.shuffle(order)
    result = []
    for start in range(0, len(order), BATCH * 16):
        near = sorted(order[start : start + BATCH * 16], key=lambda at: len(below[at]))
        result += [near[at : at + BATCH] for at in range(0, len(near), BATCH)]
    rng.shuffle(result)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m torchwhy.lab.adapt", description=__doc__)
    parser.add_argument("foreign", nargs="+", help="JSON lines with a `text` each that no entry covers")
    args = parser.parse_args()
    import numpy as np
    import torch
    from sklearn.cluster import KMeans

    torch.manual_seed(0)
    model, store = original(), open_store(knowledge_roots())
    passages = [
        (entry, for_meaning(text)) for _, entry, field, _, text in store.passages() if field in FIELDS
    ]
    rows = [row.text for name in args.foreign for row in load_rows(name) if row.label == "none"]
    foreign = [for_meaning(query_text(parse(text))) for text in rows]
    ids = sorted({entry for entry, _ in passages})
    owners = [ids.index(entry) for entry, _ in passages] + [len(ids)] * len(foreign)
    texts = [text for _, text in passages] + foreign
    encoder = TorchEncoder(model, "cpu", adapted=False)
    tokens = [
        encoder.model.tokenizer(text, truncation=True, max_length=LONGEST)["input_ids"] for text in texts
    ]
    upper = Upper(encoder.model[0].auto_model)
    train(upper, upper.below(tokens), owners, len(ids))
    arrays = {name: value.detach().numpy().astype("float16") for name, value in upper.added.items()}
    vectors = encoder.encode(foreign)  # with the additions: the hooks are still there
    arrays["foreign"] = (
        KMeans(CENTRES, n_init=3, random_state=0).fit(vectors).cluster_centers_.astype("float32")
    )
    np.savez_compressed(adapter.WEIGHTS, **arrays)
    texts_digest = hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16]
    about = {
        "model": model.fingerprint,
        "sha256": hashlib.sha256(Path(adapter.WEIGHTS).read_bytes()).hexdigest(),
        "rank": RANK,
        "fitted_on": {
            "knowledge": hashlib.sha256(json.dumps(store.digests()).encode()).hexdigest()[:16],
            "passages": len(passages),
            "foreign": len(foreign),
            "texts": texts_digest,
        },
    }
    adapter.ABOUT.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
