"""`torchwhy eval`: how good the ranking is on labelled texts, against baselines measured in the same run.

Rows: {"label": id or "none", "also": [ids], "lang": "en|zh", "kind": "paste|oneliner|question", "source",
"text", "family": id of the family that its symptom belongs to, or none}. A row whose label is not in the
knowledge base is left out and counted. Wilson intervals are at 95 %.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchwhy.errors import UsageError
from torchwhy.paste.parse import parse
from torchwhy.retrieval.matcher import Matcher, Ranked
from torchwhy.text.plain import escaped

if TYPE_CHECKING:
    from torchwhy.retrieval.vectors import Vectors


FIRST_MEMBERS = 3  # of a family, among which the entry must be for its answer to be right


@dataclass(frozen=True, slots=True)
class LabelledText:
    """One labelled text.

    `source`: the page that it restates, or "written"; `family`: of its symptom, if any; `area`: where it
    belongs, for `coverage.py`.
    """

    label: str
    also: frozenset[str]
    lang: str
    kind: str
    text: str
    source: str = "written"
    family: str | None = None
    area: str | None = None

    @property
    def right(self) -> frozenset[str]:
        return self.also | {self.label}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method said: ids best first, the first one's probability, and whether it answered at all.

    `family`: the family that it answered with instead of the first id, with `members`, best first; `listed`:
    whether it answered with the first three ids.
    """

    ids: tuple[str, ...]
    probability: float
    answered: bool
    family: str | None = None
    members: tuple[str, ...] = ()
    listed: bool = False

    def right(self, row: LabelledText) -> bool:
        """Whether the answer is right: the entry, or a family or a list with the entry among its first three.

        Where no entry covers the text, the family of its symptom is.
        """
        if self.listed:
            return not row.right.isdisjoint(self.ids[:FIRST_MEMBERS])
        if self.family is None:
            return bool(self.ids) and self.ids[0] in row.right
        if row.label == "none":
            return self.family == row.family
        return not row.right.isdisjoint(self.members[:FIRST_MEMBERS])


def load_rows(path: str | Path) -> list[LabelledText]:
    """Read a JSON-lines file. Raises UsageError with the line's number."""
    rows = []
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{escaped(path)}: cannot be read ({escaped(str(error))})") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            also, source = frozenset(data.get("also", ())), data.get("source") or "written"
            rows.append(
                LabelledText(
                    data["label"],
                    also,
                    data.get("lang", "en"),
                    data.get("kind", "paste"),
                    data["text"],
                    source,
                    data.get("family"),
                    data.get("area"),
                )
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(
                f'{escaped(path)}:{number}: not a row such as {{"label": "id", "text": "..."}} ({error})'
            ) from error
    if not rows:
        raise UsageError(f"{escaped(path)}: holds no rows")
    return rows


def wilson(hits: int, count: int) -> tuple[float, float, float]:
    """(share, low, high) of a 95 % Wilson interval; zeros for nothing."""
    if count == 0:
        return 0.0, 0.0, 0.0
    z, share = 1.96, hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return share, middle - half, middle + half


def measure(rows: Sequence[LabelledText], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Every figure of one method on these rows."""
    pairs = list(zip(rows, outcomes, strict=True))
    covered = [(row, out) for row, out in pairs if row.label != "none"]
    foreign = [(row, out) for row, out in pairs if row.label == "none"]
    top1 = sum(bool(out.ids) and out.ids[0] in row.right for row, out in covered)
    top3 = sum(any(id in row.right for id in out.ids[:3]) for row, out in covered)
    answered = [(row, out) for row, out in pairs if out.answered and out.ids]
    right = sum(out.right(row) for row, out in answered)
    families = [(row, out) for row, out in answered if out.family]
    covered_right = sum(out.answered and out.right(row) for row, out in covered)
    foreign_answered = sum(out.answered and not out.right(row) for row, out in foreign)
    bins = by_tenth([(row, out) for row, out in pairs if out.ids])
    total = sum(map(len, bins.values())) or 1
    scores = [(out.probability, row.label != "none") for row, out in pairs]
    ece = sum(abs(sum(p for p, _ in group) - sum(hit for _, hit in group)) for group in bins.values()) / total
    return {
        "rows": len(rows),
        "covered": len(covered),
        "foreign": len(foreign),
        "top1": wilson(top1, len(covered)),
        "top3": wilson(top3, len(covered)),
        "foreign_answered": wilson(foreign_answered, len(foreign)),
        "covered_right": wilson(covered_right, len(covered)),
        "families": wilson(sum(out.right(row) for row, out in families), len(families)),
        "families_answered": len(families),
        "covered_refused": wilson(sum(not out.answered for _, out in covered), len(covered)),
        "precision": wilson(right, len(answered)),
        "ece": ece,
        "auroc": auroc(scores),
    }


def by_tenth(pairs: Iterable[tuple[LabelledText, Outcome]]) -> dict[int, list[tuple[float, bool]]]:
    """(probability, whether it was right) of each answer, by tenths of probability."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for row, out in pairs:
        bins.setdefault(min(9, int(out.probability * 10)), []).append((out.probability, out.right(row)))
    return bins


def reliability(
    rows: Sequence[LabelledText], outcomes: Sequence[Outcome]
) -> list[tuple[float, float, tuple[float, float, float], int]]:
    """Of each tenth of probability in which something was answered: (its lower end, the mean probability, the
    share that was right with its interval, how many).
    """
    bins = by_tenth((row, out) for row, out in zip(rows, outcomes, strict=True) if out.answered)
    return [
        (
            at / 10,
            sum(probability for probability, _ in group) / len(group),
            wilson(sum(hit for _, hit in group), len(group)),
            len(group),
        )
        for at, group in sorted(bins.items())
    ]


COVERAGES = (0.25, 0.5, 0.75, 1.0)


def risks(
    rows: Sequence[LabelledText], outcomes: Sequence[Outcome]
) -> list[tuple[float, tuple[float, float, float], int]]:
    """(share of all texts that are answered, the share of wrong answers among them with its interval, how
    many): the surest first, at quarters of what was answered.
    """
    answered = [(row, out) for row, out in zip(rows, outcomes, strict=True) if out.answered]
    answered.sort(key=lambda pair: -pair[1].probability)
    result = []
    for share in COVERAGES if answered else ():
        count = max(1, round(share * len(answered)))
        wrong = sum(not out.right(row) for row, out in answered[:count])
        result.append((count / len(rows), wilson(wrong, count), count))
    return result


def auroc(scores: Sequence[tuple[float, bool]]) -> float | None:
    """How often a covered text's score is above a foreign one's (ties count half); None where one of them is
    missing. `scores`: (score, whether covered).
    """
    covered = [score for score, is_covered in scores if is_covered]
    foreign = [score for score, is_covered in scores if not is_covered]
    if not covered or not foreign:
        return None
    won = sum((score > other) + (score == other) / 2 for score in covered for other in foreign)
    return won / (len(covered) * len(foreign))


def usable(
    rows: Iterable[LabelledText], ids: Iterable[str], *, uncovered: bool = False
) -> tuple[list[LabelledText], int]:
    """Rows whose label the knowledge base has (or "none"), and how many were left out.

    `uncovered`: rows that no entry covers are kept, as texts that nothing should be answered to.
    """
    known = set(ids) | {"none"}
    rows = list(rows)
    if uncovered:
        return [_as_covered(row, known) for row in rows], 0
    kept = [row for row in rows if row.label in known]
    return kept, len(rows) - len(kept)


def _as_covered(row: LabelledText, known: Set[str]) -> LabelledText:
    """The row with the labels that the knowledge base has, "none" where it has none of them."""
    labels = [label for label in (row.label, *sorted(row.also)) if label in known]
    label, also = (labels[0], frozenset(labels[1:])) if labels else ("none", frozenset[str]())
    return replace(row, label=label, also=also)


def outcome(ranked: Ranked) -> Outcome:
    ids = tuple(scored.id for scored in ranked.candidates)
    family = ranked.family
    if family is not None:
        members = tuple(member.id for member in family.members)
        return Outcome(ids, family.probability, True, family.family.id, members)
    if ranked.listed > 1:
        probability = sum(scored.probability for scored in ranked.candidates[:FIRST_MEMBERS])
        return Outcome(ids, probability, True, listed=True)
    stands = ranked.answered or ranked.listed == 1
    return Outcome(ids, ranked.candidates[0].probability if ranked.candidates else 0.0, stands)


def full(matcher: Matcher, rows: Sequence[LabelledText], *, early: bool = True) -> list[Outcome]:
    """torchwhy itself."""
    return [outcome(ranked) for ranked in matcher.rank_many([parse(row.text) for row in rows], early=early)]


def signatures_only(matcher: Matcher, rows: Sequence[LabelledText]) -> list[Outcome]:
    result = []
    for row in rows:
        table = matcher.features(parse(row.text))
        ids = sorted(
            table.claims,
            key=lambda id: (-table.rows[id][0], -table.rows[id][1], -table.claims[id].length, id),
        )
        result.append(Outcome(tuple(ids), 1.0 if ids else 0.0, bool(ids)))
    return result


def bm25_only(matcher: Matcher, rows: Sequence[LabelledText]) -> list[Outcome]:
    """bm25 of the raw text over whole entries."""
    result = []
    for row in rows:
        whole, _ = matcher.store.words.search(row.text[-6000:])
        ids = sorted(whole, key=lambda id: (-whole[id], id))
        result.append(Outcome(tuple(ids), whole[ids[0]] if ids else 0.0, bool(ids)))
    return result


def cosine_over_entries(matcher: Matcher, rows: Sequence[LabelledText], vectors: Vectors) -> list[Outcome]:
    """What most such assistants do: cosine of the raw text to each whole entry, one vector an entry, by the
    model as it comes.
    """
    import numpy as np

    from torchwhy.embedding.encoders import TorchEncoder

    ids = matcher.store.ids()
    texts = []
    for id in ids:
        entry = matcher.store.pitfall(id)
        examples = " ".join(signature.example for signature in entry.signatures)
        texts.append(
            f"{entry.title.en} {examples} {entry.cause.en} {entry.fix.en} {entry.title.zh} {entry.cause.zh}"
        )
    encoder = TorchEncoder(vectors.model, "cpu", adapted=False)
    questions, entries = (
        encoder.encode(part)[:, : encoder.dimension] for part in ([row.text for row in rows], texts)
    )
    scores = questions @ entries.T
    order = np.argsort(-scores, axis=1, kind="stable")
    return [
        Outcome(tuple(ids[at] for at in order[n][:20]), float(scores[n, order[n][0]]), True)
        for n in range(len(rows))
    ]


def hybrid(matcher: Matcher, rows: Sequence[LabelledText], vectors: Vectors) -> list[Outcome]:
    """BM25 and passage cosine (by torchwhy's adapted encoder), each scaled to its best, added: no signatures,
    no fitted weights.
    """
    near = vectors.nearest(vectors.encode([row.text[-2000:] for row in rows]))
    result = []
    for row, found in zip(rows, near, strict=True):
        whole, _ = matcher.store.words.search(row.text[-6000:])
        top_word, top_cosine = (
            max(whole.values(), default=1.0) or 1.0,
            max((max(v) for v in found.values()), default=1.0) or 1.0,
        )
        score = {
            id: whole.get(id, 0.0) / top_word + max(found.get(id, (0.0,))) / top_cosine
            for id in {*whole, *found}
        }
        ids = sorted(score, key=lambda id: (-score[id], id))[:20]
        result.append(Outcome(tuple(ids), score[ids[0]] / 2 if ids else 0.0, bool(ids)))
    return result


METHODS = ("cosine over entries", "BM25 alone", "signatures alone", "hybrid", "torchwhy")


def compare(
    matcher: Matcher,
    rows: Sequence[LabelledText],
    *,
    ablate: bool,
    given: list[Outcome] | None = None,
    progress: Callable[[str], None] = lambda name: None,
) -> dict[str, list[Outcome]]:
    """Outcomes by method; without `ablate` the plain cosine and torchwhy alone. Methods whose parts are
    missing are left out.

    `given`: torchwhy's own outcomes, where they are known already (cross-validated ones).
    """
    vectors = matcher.open_vectors()
    result: dict[str, list[Outcome]] = {}
    if vectors is not None:
        progress(METHODS[0])
        result[METHODS[0]] = cosine_over_entries(matcher, rows, vectors)
    if ablate:
        progress(METHODS[1])
        result[METHODS[1]] = bm25_only(matcher, rows)
        result[METHODS[2]] = signatures_only(matcher, rows)
        if vectors is not None:
            result[METHODS[3]] = hybrid(matcher, rows, vectors)
    progress(METHODS[4])
    result[METHODS[4]] = given or full(matcher, rows)
    return result


def groups(rows: Sequence[LabelledText]) -> dict[str, list[int]]:
    """Row numbers of all rows, and by language and kind."""
    result: dict[str, list[int]] = {"all": list(range(len(rows)))}
    for name in ("lang", "kind"):
        for value in sorted({getattr(row, name) for row in rows}):
            result[value] = [at for at, row in enumerate(rows) if getattr(row, name) == value]
    return result


def wrong(rows: Sequence[LabelledText], outcomes: Sequence[Outcome]) -> list[tuple[LabelledText, Outcome]]:
    """Rows whose first answer is wrong, refused though covered, or answered though foreign."""
    return [
        (row, out)
        for row, out in zip(rows, outcomes, strict=True)
        if (
            out.answered and not out.right(row)
            if row.label == "none"
            else not out.answered or not out.right(row)
        )
    ]


def as_json(rows: Sequence[LabelledText], by_method: Mapping[str, Sequence[Outcome]]) -> dict[str, Any]:
    return {
        method: {
            group: measure([rows[at] for at in members], [outcomes[at] for at in members])
            for group, members in groups(rows).items()
        }
        for method, outcomes in by_method.items()
    }
