"""`python -m torchwhy.lab.fit_bearing FILES` makes the chat's bearing.json from its statements.txt and FILES.

FILES: consultations, whose sentences speak against what is ruled out in their turn and not against what is
right; questions, whose sentences do not speak against their label. It prints how unseen sentences are read.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from torchwhy.answers.evidence import read_question
from torchwhy.api import Assistant
from torchwhy.chat.bearing import WEIGHTS, Bearings, opposing
from torchwhy.chat.clauses import clauses
from torchwhy.chat.excerpts import ExcerptFinder
from torchwhy.chat.polarity import read_polarity

if TYPE_CHECKING:
    import numpy as np

FOLDS, STEPS, RIDGE = 6, 30, 10.0
NEAREST = 25  # entries beside its own that a sentence of statements.txt may speak of
QUESTION_WEIGHT = 0.5  # of a sentence of a question: nobody looked at each
MAX_QUESTIONS, MIN_SENTENCES = 330, 3


class Told(NamedTuple):
    """A sentence of one entry, and whether it speaks against that. `group`: what is left out together."""

    group: str
    entry: str
    against: bool
    weight: float
    values: tuple[float, ...]


def statements() -> Iterator[tuple[str, bool, str]]:
    """(entry, whether it speaks against that, sentence)."""
    id = ""
    for line in WEIGHTS.with_name("statements.txt").read_text("utf-8").splitlines():
        if line.startswith("== "):
            id = line[3:]
        elif id and line:
            kind, _, text = line.partition(": ")
            yield id, kind != "is", text


class Reader:
    """Reads rows as sentences of entries."""

    def __init__(self, assistant: Assistant) -> None:
        self.assistant = assistant
        self.bearings = Bearings(assistant.store, assistant.matcher, ExcerptFinder(assistant.store))

    def stated(self) -> Iterator[Told]:
        vectors = self.assistant.matcher.open_vectors()
        assert vectors is not None
        for id, against, text in statements():
            scores = vectors.near([text])[0].scores
            others = sorted(scores, key=lambda each: -scores[each])[:NEAREST]
            yield self._told(id, text, id, [id, *others], against, 1.0)

    def consulted(self, row: Mapping[str, Any]) -> Iterator[Told]:
        ids = self._candidates("\n".join((row["first"], *row["turns"])), row["first"])
        said = [
            (turn, text) for turn, all_said in enumerate(row["turns"], 1) for text, _ in clauses(all_said)
        ]
        for ruled in row["ruled_out"]:
            id, turn = (
                (ruled, len(row["turns"])) if isinstance(ruled, str) else (ruled["entry"], ruled["turn"])
            )
            near = [
                (self.bearings.near(text, ids)[id].meaning[0], text)
                for at, text in said
                if at == turn and id in ids
            ]
            if near:
                yield self._told(row["id"], max(near)[1], id, ids, True, 1.0)
        for _, text in said:
            for id in {row["label"], *row["acceptable"]}.intersection(ids):
                yield self._told(row["id"], text, id, ids, False, 1.0)

    def asked(self, row: Mapping[str, Any]) -> Iterator[Told]:
        said = [text for text, _ in clauses(row["text"])]
        if len(said) < MIN_SENTENCES or self.assistant.store.resolve(row["label"]) is None:
            return
        ids = self._candidates(row["text"], said[0])
        if row["label"] in ids:
            for text in said[1:]:
                yield self._told(row["text"], text, row["label"], ids, False, QUESTION_WEIGHT)

    def _candidates(self, *texts: str) -> list[str]:
        answers = (self.assistant.ask(read_question(text)) for text in texts)
        return list(dict.fromkeys(match.id for answer in answers for match in answer.candidates))

    def _told(self, group: str, text: str, id: str, ids: list[str], against: bool, weight: float) -> Told:
        values = opposing(read_polarity(text), self.bearings.near(text, dict.fromkeys(ids))[id])
        return Told(group, id, against, weight, values)


def fit(inputs: np.ndarray, wanted: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's steps, on standardised columns."""
    import numpy as np

    scale = inputs.std(0)
    scale[scale == 0] = 1.0
    scaled = inputs / scale
    weights = np.zeros(inputs.shape[1])
    ridge = RIDGE * np.eye(len(weights))
    ridge[0, 0] = 0.0  # the first column is the constant
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-scaled @ weights))
        curve = (scaled * (shares * said * (1 - said))[:, None]).T @ scaled + ridge
        weights += np.linalg.solve(curve, scaled.T @ (shares * (wanted - said)) - ridge @ weights)
    return np.asarray(weights / scale)


def weights_of(told: list[Told]) -> list[float]:
    """Fit, and print what the weights make of groups that they have not seen."""
    import numpy as np

    inputs, wanted = (
        np.array([each.values for each in told]),
        np.array([float(each.against) for each in told]),
    )
    shares = np.array([each.weight for each in told])
    fold = np.array([zlib.crc32(each.group.encode()) % FOLDS for each in told])
    scores = np.zeros(len(told))
    for out in (fold == each for each in range(FOLDS)):
        scores[out] = inputs[out] @ fit(inputs[~out], wanted[~out], shares[~out])
    for_it, against = scores[wanted == 0], scores[wanted == 1]
    print(
        f"{len(against)} sentences against: {(against > 0).mean():.0%} are read so, of {len(for_it)} others "
        f"{(for_it > 0).mean():.1%}; AUROC {(against[:, None] > for_it[None]).mean():.2f}"
    )
    return [round(each, 3) for each in fit(inputs, wanted, shares).tolist()]


def main() -> None:
    reader = Reader(Assistant())
    told, questions = list(reader.stated()), 0
    for name in sys.argv[1:]:
        for line in Path(name).read_text("utf-8").splitlines():
            row = json.loads(line)
            if "turns" in row:
                told += reader.consulted(row)
            elif row["kind"] == "question" and questions < MAX_QUESTIONS:
                found = list(reader.asked(row))
                told, questions = told + found, questions + bool(found)
    WEIGHTS.write_text(json.dumps(weights_of(told)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
