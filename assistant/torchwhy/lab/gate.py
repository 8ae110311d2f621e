"""`python -m torchwhy.lab.gate data/training`: train the gate and write `retrieval/gate.json`. Needs torch;
run by maintainers.

Wrong are the entries' questions and the texts of `symptoms.jsonl`; innocent are texts that `how-to.yaml`
gives, and those of `negatives.jsonl`. Half of both collections is left to the ranking (`torchwhy.lab.fit`).
Some of the entries' own questions are how-tos: those that a first fit takes for innocent are left out of the
second.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from torchwhy.embedding.model import find_model
from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.paste.parse import parse
from torchwhy.retrieval.build_vectors import open_vectors
from torchwhy.retrieval.compile import open_store
from torchwhy.retrieval.gate import WEIGHTS, terms
from torchwhy.text.language import LANGS

if TYPE_CHECKING:
    import torch

    from torchwhy.retrieval.store import Store
    from torchwhy.retrieval.vectors import Vectors

WRONG, INNOCENT, OTHER, LOG = range(4)
CLASSES = {"howto": INNOCENT, "concept": INNOCENT, "healthy": INNOCENT, "log": LOG, "other": OTHER}
MADE_AN_ENTRY = 3  # questions made for each entry and language
COLLECTED = 8.0  # how much a text that somebody wrote counts against a made one
MIXED, MOST_LINES = 1000, 6  # how many logs are made of others' lines, each of at most so many
MIN_TEXTS = 6  # in which a term must stand
DOUBTFUL_SHARE = 0.15  # of the entries' questions, what the second fit leaves out
L2_WORDS, L2_VECTOR = 1e-5, 1e-4
SLICE = 256  # texts embedded at once
MIN_WEIGHT = 0.05  # below which a term is not kept
NAME = re.compile(r"`([A-Za-z_]\w*[._A-Z][\w.]{1,40}(?:\(\))?)`")


class Sample(NamedTuple):
    """A text, its class and how much it counts."""

    text: str
    kind: int
    weight: float = 1.0
    passage: int | None = None  # its number, where an entry asks it

    @property
    def ask(self) -> bool:
        return self.passage is not None


def trained_half(text: str) -> bool:
    """Whether the gate is trained on a collected text; the ranking is fitted on the others."""
    return sum(text.encode()) % 2 == 0


def collected(folder: Path) -> list[Sample]:
    """The texts that the gate is trained on: all foreign ones, and half of the others."""
    negatives, symptoms, foreign = (
        [json.loads(line) for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines()]
        for name in ("negatives", "symptoms", "foreign")
    )
    samples = [Sample(row["text"], CLASSES[row["kind"]], COLLECTED) for row in negatives]
    samples += [Sample(row["text"], WRONG, COLLECTED) for row in symptoms]
    samples = [sample for sample in samples if trained_half(sample.text)]
    others = [Sample(row["text"], OTHER, COLLECTED) for row in foreign]
    return samples + [sample for sample in others if parse(sample.text).root is None]


def pieces(logs: Sequence[Sample]) -> list[Sample]:
    """Healthy logs anew: each line of a longer one alone, and lines of several in a row."""
    rng = random.Random(0)
    lines = [line for log in logs for line in log.text.splitlines() if line.strip()]
    alone = sorted(
        {line for log in logs if "\n" in log.text for line in log.text.splitlines() if line.strip()}
    )
    mixed = ["\n".join(rng.sample(lines, rng.randint(2, MOST_LINES))) for _ in range(MIXED)]
    return [Sample(text, LOG) for text in alone + mixed]


def printed(store: Store) -> list[Sample]:
    """What entries' programs print of a failure in lines that are read as no error: logs, and not healthy."""
    examples = [(at, row[4]) for at, row in enumerate(store.passages()) if row[2] == "example"]
    return [Sample(text, WRONG, passage=at) for at, text in examples if parse(text).root is None]


def made(store: Store, folder: Path) -> list[Sample]:
    """Innocent questions around each entry, in both languages; the same ones every time."""
    import yaml

    forms = yaml.safe_load((folder / "how-to.yaml").read_text("utf-8"))
    rng = random.Random(0)
    result = []
    for id in store.ids():
        entry = store.pitfall(id)
        texts = (entry.title, entry.cause, entry.fix, entry.check)
        names = sorted({name for text in texts for name in NAME.findall(text.en)}) or ["torch.nn.Module"]
        for number, lang in enumerate(LANGS):
            for form in rng.sample(forms["forms"][lang], MADE_AN_ENTRY):
                x, y = (thing[number] for thing in rng.sample(forms["things"], 2))
                result.append(Sample(form.format(x=x, y=y, api=rng.choice(names)), INNOCENT))
    return result


def asked(store: Store) -> list[Sample]:
    """What entries ask, without those on a practice, which a how-to may ask for."""
    return [
        Sample(row[4], WRONG, passage=number)
        for number, row in enumerate(store.passages())
        if row[2] == "ask" and store.effects.get(row[1]) != "practice"
    ]


class Words(NamedTuple):
    """The terms of the samples, each with its number, as a sparse matrix."""

    number_of: dict[str, int]
    matrix: torch.Tensor


def words_of(samples: Sequence[Sample]) -> Words:
    """A row's terms have the same weight, and length one."""
    import torch

    each = [terms(sample.text) for sample in samples]
    spread = Counter(term for found in each for term in found)
    number_of = {term: at for at, term in enumerate(sorted(t for t, n in spread.items() if n >= MIN_TEXTS))}
    rows, columns, values = [], [], []
    for at, found in enumerate(each):
        known = [number_of[term] for term in sorted(found) if term in number_of]
        rows += [at] * len(known)
        columns += known
        values += [1 / math.sqrt(len(known))] * len(known)
    size = (len(samples), len(number_of))
    matrix = torch.sparse_coo_tensor([rows, columns], values, size, check_invariants=True)
    return Words(number_of, matrix.coalesce())


def fit(inputs: Any, samples: Sequence[Sample], l2: float, offset: Any = None) -> tuple[Any, Any, Any]:
    """(weights, biases, logits) of each other class against WRONG; every class counts the same in all."""
    import torch

    kinds = torch.tensor([sample.kind for sample in samples])
    counts = torch.tensor([sample.weight for sample in samples])
    counts = counts / torch.zeros(LOG + 1).index_add(0, kinds, counts)[kinds] / (LOG + 1)
    weights = torch.zeros(inputs.shape[1], LOG, requires_grad=True)
    biases = torch.zeros(LOG, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights, biases], max_iter=60, line_search_fn="strong_wolfe")

    def logits() -> Any:
        said = inputs @ weights + biases
        return said if offset is None else said + offset

    def closure() -> Any:
        optimizer.zero_grad()
        said = logits()
        log_p = torch.log_softmax(torch.cat([torch.zeros(len(said), 1), said], 1), 1)
        loss = -(log_p[torch.arange(len(said)), kinds] * counts).sum() + l2 * weights.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return weights.detach(), biases.detach(), logits().detach()


def sure(samples: Sequence[Sample]) -> list[Sample]:
    """The samples without the entries' questions that a first fit takes for innocent most."""
    _, _, logits = fit(words_of(samples).matrix, samples, L2_WORDS)
    innocent = logits[:, 0].tolist()
    asks = sorted(value for value, sample in zip(innocent, samples, strict=True) if sample.ask)
    most = asks[int(len(asks) * (1 - DOUBTFUL_SHARE))]
    return [s for value, s in zip(innocent, samples, strict=True) if not s.ask or value < most]


def vectors_of(samples: Sequence[Sample], vectors: Vectors) -> Any:
    """The samples' sentence vectors; an entry's question has its own already."""
    import numpy as np
    import torch

    asks = [sample.passage for sample in samples if sample.passage is not None]
    others = [parse(sample.text).distilled for sample in samples if not sample.ask]
    known = vectors.passages(asks)
    fresh = [vectors.encode(others[start : start + SLICE]) for start in range(0, len(others), SLICE)]
    result = np.zeros((len(samples), known.shape[1]), "float32")
    result[[sample.ask for sample in samples]] = known
    result[[not sample.ask for sample in samples]] = np.concatenate(fresh)[:, : known.shape[1]]
    return torch.from_numpy(result)


def main() -> int:
    """Train and write. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m torchwhy.lab.gate", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    store, model = open_store(knowledge_roots()), find_model()
    known = collected(folder)
    logs = pieces([sample for sample in known if sample.kind == LOG])
    samples = sure([*asked(store), *printed(store), *made(store, folder), *known, *logs])
    words = words_of(samples)
    weights, biases, logits = fit(words.matrix, samples, L2_WORDS)
    inputs = vectors_of(samples, open_vectors(store, model))
    added, shift, _ = fit(inputs, samples, L2_VECTOR, logits)
    told = {term: rounded(weights[at]) for term, at in words.number_of.items()}
    data = {
        "encoder": model.fingerprint,
        "bias": rounded(biases),
        "shift": rounded(shift),
        "vector": [rounded(row) for row in added.T],
        "terms": {term: each for term, each in told.items() if max(map(abs, each)) >= MIN_WEIGHT},
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    WEIGHTS.write_text(text + "\n", encoding="utf-8")
    counts = Counter(sample.kind for sample in samples)
    print(f"{dict(counts)} texts, {len(data['terms'])} terms, {len(text):,} characters")
    return 0


def rounded(values: torch.Tensor) -> list[float]:
    return [round(value, 3) for value in values.tolist()]


if __name__ == "__main__":
    sys.exit(main())
