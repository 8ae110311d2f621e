"""`python -m torchwhy.lab.fit FILE...`: fit the ranking's weights and write `ranking.json`. Needs torch; run
by maintainers.

A conditional logit over each text's candidates and "none", with an L2 pull towards zero. What is reported,
and what the temperature and the threshold are chosen on, is the cross-validated prediction: each row is
judged by weights fitted without any row of its label.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import random
import sys
from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from torchwhy.embedding import adapter
from torchwhy.embedding.model import find_model
from torchwhy.knowledge.family import Family
from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.paste.parse import parse
from torchwhy.retrieval import features
from torchwhy.retrieval.build_vectors import open_vectors
from torchwhy.retrieval.compile import open_store
from torchwhy.retrieval.features import FeatureTable
from torchwhy.retrieval.matcher import MAX_CANDIDATES, Matcher, query_texts
from torchwhy.retrieval.ranking import RANKING, Ranking
from torchwhy.text.language import LANGS

from .evaluate import LabelledText, Outcome
from .fit_answers import (
    LISTED_FROM,
    LISTED_FROM_CHINESE,
    Case,
    Judged,
    as_asked,
    calibration_error,
    fit_families,
    listed_outcomes,
)
from .fit_rows import named_rows, parser
from .predictions import save_outcomes
from .table import table

FOLDS = 10
L2 = 0.02
LISTED = {"en": LISTED_FROM, "zh": LISTED_FROM_CHINESE}
MAX_FITTED, CLAIMED = 60, 3.0  # candidates of a text, and how much a claim brings one to the front of them
MIN_WORDS = 100  # questions in words of a language, from which they have weights of their own
L2_WORDS = 0.005  # of the pull of the weights for questions in words towards those of all texts
# A threshold is given up only for one that costs this share less: the costs of 0.24 to 0.64 lie within it,
# and other rows of the same kind choose any of them. On texts kept apart 0.28 and 0.54 cost about the same
# (181 and 175): of the 44 answers more that 0.28 gives, 28 are right, and each says how unsure it is.
MIN_THRESHOLD_GAIN = 0.1
REAL = 3.0  # how much a text that restates a public thread counts, against one written for the purpose


def unfitted() -> Ranking:
    """A ranking without weights, for what is asked for features alone."""
    return ranking_of({"weights": (), "none": ()}, 1.0, 1.0)


def ranking_of(part: Mapping[str, Any], temperature: float, threshold: float) -> Ranking:
    """A ranking that judges every text by this part's weights."""
    whole = {**part, "temperature": temperature, "threshold": threshold, "family": (), "listed": 1.0}
    return Ranking({"full": whole, "quick": whole})


def cases_of(matcher: Matcher, rows: Sequence[LabelledText], vectors: bool) -> list[Case]:
    opened = matcher.open_vectors() if vectors else None
    if vectors and opened is None:
        raise SystemExit("the full ranking is fitted with vectors; install the model")
    result = []
    for row in rows:
        paste = parse(row.text)
        near = opened.near(query_texts(paste)) if opened else []
        result.append(Case(row, paste, matcher.features(paste, near), near[0].families if near else {}))
    return result


class Weights(NamedTuple):
    """Of the entries' features and of none's."""

    entry: list[float]
    none: list[float]


def fit(
    data: Sequence[FeatureTable],
    rows: Sequence[LabelledText],
    weights: Sequence[float],
    start: Weights | None = None,
    towards: Weights | None = None,
) -> Weights:
    """The weights, by L-BFGS from `start`, pulled `towards` others, or zero. `weights`: how much each row
    counts.
    """
    import numpy as np
    import torch

    candidates = [likeliest(each, row.right) for each, row in zip(data, rows, strict=True)]
    width = max(map(len, candidates))
    x = torch.zeros(len(data), width, len(features.NAMES))
    mask = torch.full((len(data), width + 1), float("-inf"))
    z = torch.tensor([each.none for each in data])
    target = torch.zeros(len(data), width + 1)
    for n, (each, row, entries) in enumerate(zip(data, rows, candidates, strict=True)):
        if not entries:
            continue  # nothing to choose from, so nothing to learn
        x[n, : len(entries)] = torch.from_numpy(np.array([each.rows[entry] for entry in entries], "float32"))
        mask[n, : len(entries)] = 0.0
        target[n, : len(entries)] = torch.tensor([float(entry in row.right) for entry in entries])
        mask[n, width] = 0.0
        target[n, width] = float(row.label == "none")
    keep = target.sum(1) > 0  # the right entry is not among the candidates: nothing to learn
    counts = torch.tensor(weights)[keep]
    x, mask, z, target = x[keep], mask[keep], z[keep], target[keep]
    zero = Weights([0.0] * len(features.NAMES), [0.0] * len(features.NONE_NAMES))
    w, v = (torch.tensor(part, requires_grad=True) for part in start or towards or zero)
    w_pull, v_pull = (torch.tensor(part) for part in towards or zero)
    optimizer = torch.optim.LBFGS([w, v], max_iter=100, line_search_fn="strong_wolfe", tolerance_grad=1e-5)

    def closure() -> Any:
        optimizer.zero_grad()
        logits = torch.cat([x @ w, (z @ v)[:, None]], 1) + mask
        log_p = torch.log_softmax(logits, 1)
        likelihood = torch.logsumexp(log_p + torch.where(target > 0, 0.0, float("-inf")), 1)
        pull = (w - w_pull).square().sum() + (v - v_pull).square().sum()
        strength = L2_WORDS if towards else L2
        loss = -(likelihood * counts).sum() / counts.sum() + strength * pull / 10
        loss.backward()
        return loss

    optimizer.step(closure)
    return Weights(w.detach().tolist(), v.detach().tolist())


def folds(rows: Sequence[LabelledText]) -> list[int]:
    """A fold for each row: all rows of a label share one; foreign rows are dealt out."""
    rng = random.Random(0)
    labels = sorted({row.label for row in rows} - {"none"})
    rng.shuffle(labels)
    fold = {label: at % FOLDS for at, label in enumerate(labels)}
    return [fold[row.label] if row.label != "none" else rng.randrange(FOLDS) for row in rows]


def likeliest(table: FeatureTable, right: Set[str]) -> list[str]:
    """The candidates that weights are fitted on: the right ones, and those that may be taken for them."""

    def evidence(entry: str) -> float:
        own = table.rows[entry]
        claimed = own.settled + own.claim_root + own.claim_symptom + own.claim_other
        return CLAIMED * claimed + own.discriminant + own.bayes + own.cosine_lead + own.lexical_both

    first = heapq.nlargest(MAX_FITTED, sorted(table.rows), key=evidence)
    return sorted({*first, *(right & table.rows.keys())})


class Fitted(NamedTuple):
    """Weights of all rows (`whole`), and of those outside each fold; `fold`: that of each row."""

    whole: Weights
    parts: tuple[Weights, ...]
    fold: tuple[int, ...]

    def part(self, at: int) -> dict[str, Any]:
        """The weights that were fitted without this row's fold."""
        found = self.parts[self.fold[at]]
        return {"weights": found.entry, "none": found.none}


def fitted(
    cases: Sequence[Case], weights: Sequence[float], fold: Sequence[int], shared: Fitted | None = None
) -> Fitted:
    """`shared`: the weights of all texts, towards which those of these are pulled."""

    def of(inside: Sequence[int], start: Weights | None, towards: Weights | None) -> Weights:
        some = [cases[at] for at in inside]
        rows = [case.row for case in some]
        return fit([case.features for case in some], rows, [weights[at] for at in inside], start, towards)

    whole = of(range(len(cases)), None, shared.whole if shared else None)
    parts = []
    for number in range(FOLDS):
        inside = [at for at, own in enumerate(fold) if own != number]
        parts.append(of(inside, whole, shared.parts[number] if shared else None))
    return Fitted(whole, tuple(parts), tuple(fold))


def predict(
    found: Fitted, data: Sequence[FeatureTable], temperature: float, threshold: float
) -> list[Outcome]:
    result = []
    for at, each in enumerate(data):
        ranked, none = ranking_of(found.part(at), temperature, threshold).probabilities(each, True)
        best = ranked[0][0] if ranked else 0.0
        result.append(Outcome(tuple(id for _, _, id in ranked[:20]), best, best >= threshold and best > none))
    return result


def best_temperature(
    found: Fitted, data: Sequence[FeatureTable], rows: Sequence[LabelledText], weights: Sequence[float]
) -> float:
    """The one with the least calibration error of the first candidates."""
    import numpy as np

    below, firsts = [], []
    for at, each in enumerate(data):
        ranked, none = ranking_of(found.part(at), 1.0, 0.0).probabilities(each, True)
        logs = np.log([probability or 1e-300 for probability in (none, *(row[0] for row in ranked))])
        below.append(logs - logs[1] if ranked else None)  # of the first candidate, whatever the temperature
        firsts.append(ranked[0][2] if ranked else "")

    def error(temperature: float) -> float:
        sure = [1.0 / float(np.exp(logs / temperature).sum()) if logs is not None else 0.0 for logs in below]
        outcomes = [Outcome((id,) if id else (), p, True) for id, p in zip(firsts, sure, strict=True)]
        return calibration_error(rows, outcomes, weights)

    return min((t / 20 for t in range(10, 41)), key=lambda t: (error(t), t))


def judged_of(found: Fitted, cases: Sequence[Case], temperature: float) -> list[Judged]:
    """Each case with its ranking by the weights that were fitted without its label."""
    result = []
    for at, case in enumerate(cases):
        ranked, none = ranking_of(found.part(at), temperature, 0.0).probabilities(case.features, True)
        probabilities = {id: probability for probability, _, id in ranked[:MAX_CANDIDATES]}
        result.append(Judged(case, tuple(probabilities), probabilities, none))
    return result


def choose(
    found: Fitted,
    data: Sequence[FeatureTable],
    rows: Sequence[LabelledText],
    weights: Sequence[float],
    present: float | None = None,
) -> tuple[float, float]:
    """Temperature with the least calibration error, then the threshold with the least weight of wrong
    decisions; the `present` one unless another costs clearly less.
    """
    temperature = best_temperature(found, data, rows, weights)
    outcomes = predict(found, data, temperature, 0.0)

    def cost(threshold: float) -> float:
        total = 0.0
        for row, out, weight in zip(rows, outcomes, weights, strict=True):
            answered = out.probability >= threshold and out.answered
            right = bool(out.ids) and out.ids[0] in row.right
            total += weight * (
                (2.0 if answered and not right else 0.0)
                + (1.0 if not answered and row.label != "none" and right else 0.0)
            )
        return total

    cheapest = min((t / 50 for t in range(5, 45)), key=lambda t: (cost(t), t))
    if present is not None and cost(present) * (1 - MIN_THRESHOLD_GAIN) <= cost(cheapest):
        return temperature, present
    return temperature, cheapest


class Part(NamedTuple):
    """What one part of ranking.json says, and the cross-validated outcome of each of its cases."""

    data: dict[str, Any]
    outcomes: list[Outcome]


def part_of(
    name: str,
    found: Fitted,
    cases: Sequence[Case],
    weights: Sequence[float],
    families: Sequence[Family],
    present: float | None,
    listed: float = LISTED_FROM,
) -> Part:
    """Temperature and thresholds on the cross-validated rankings, and what is then said."""
    rows, data = [case.row for case in cases], [case.features for case in cases]
    temperature, threshold = choose(found, data, rows, weights, present)
    outcomes = predict(found, data, temperature, threshold)
    judged = judged_of(found, cases, temperature)
    opened = [at for at, each in enumerate(judged) if each.open]
    family = fit_families([judged[at] for at in opened], [weights[at] for at in opened], families)
    lists = listed_outcomes(judged, families, family)
    for at in opened:
        outcomes[at] = lists[at] if lists[at].probability >= listed else outcomes[at].refused()
    entry, none = ([round(x, 4) for x in each] for each in found.whole)
    told = {
        "weights": entry,
        "none": none,
        "temperature": temperature,
        "threshold": threshold,
        "family": family,
        "listed": listed,
    }
    print(f"{name}: temperature {temperature}, threshold {threshold}, family {family}")
    names = (*features.NAMES, *(f"none: {each}" for each in features.NONE_NAMES))
    for label, value in zip(names, entry + none, strict=True):
        print(f"   {label:24} {value:+.3f}")
    return Part(told, outcomes)


def fit_part(
    name: str,
    cases: Sequence[Case],
    weights: Sequence[float],
    families: Sequence[Family],
    present: float | None,
) -> Part:
    """The weights of all texts, and by language those of questions in words, pulled towards these."""
    fold = folds([case.row for case in cases])
    shared = fitted(cases, weights, fold)
    part = part_of(name, shared, cases, weights, families, present)
    outcomes, words = part.outcomes, {}
    for lang in LANGS:
        members = [at for at, case in enumerate(cases) if case.features.words == lang]
        if len(members) < MIN_WORDS:
            continue
        asked = [cases[at] for at in members]
        counts = as_asked([case.row for case in asked], [weights[at] for at in members])
        own = fitted(asked, counts, [fold[at] for at in members], shared)
        label = f"{name}, {len(asked)} questions in words, {lang}"
        said = part_of(label, own, asked, counts, families, part.data["threshold"], LISTED[lang])
        words[lang] = said.data
        for at, out in zip(members, said.outcomes, strict=True):
            outcomes[at] = out
    return Part({**part.data, "words": words}, outcomes)


def present_thresholds() -> dict[str, float]:
    """The threshold of each part of ranking.json as it stands; {} without one."""
    if not RANKING.is_file():
        return {}
    data = json.loads(RANKING.read_text(encoding="utf-8"))
    return {name: float(data[name]["threshold"]) for name in ("quick", "full") if name in data}


def main() -> int:
    """Fit, report the cross-validated figures, and write ranking.json. Returns the exit status."""
    args = parser(__doc__).parse_args()
    store, model = open_store(knowledge_roots()), find_model()
    matcher = Matcher(store, lambda: open_vectors(store, model), unfitted())
    ids, families = store.ids(), list(store.families.values())
    named = named_rows(args, ids)
    rows = [row for _, row in named]
    counts = {kind: sum((row.label == "none") == kind for row in rows) for kind in (True, False)}
    share = max(1.0, 0.2 * counts[False] / max(1, counts[True]))
    weights = [
        (share if row.label == "none" else 1.0) * (REAL if row.source.startswith("http") else 1.0)
        for row in rows
    ]
    present = present_thresholds()
    result: dict[str, Any] = {"features": features.NAMES, "none_features": features.NONE_NAMES}
    early: dict[int, Outcome] = {}  # what a signature settles without vectors stands
    for name, vectors in (("quick", False), ("full", True)):
        cases = cases_of(matcher, rows, vectors)
        result[name], outcomes = fit_part(name, cases, weights, families, present.get(name))
        if vectors:
            outcomes = [early.get(at, out) for at, out in enumerate(outcomes)]
        else:
            settled = [case.features.settled for case in cases]
            early = {at: out for at, out in enumerate(outcomes) if settled[at] and out.answered}
        if vectors and args.predictions:
            save_outcomes(args.predictions, rows, outcomes)
        for file in [*args.files, *args.collected]:
            mine = [at for at, (own, _) in enumerate(named) if own == file]
            found = {"torchwhy": [outcomes[at] for at in mine]}
            print(file, table([rows[at] for at in mine], found, ablate=True), sep="\n")
    digest = hashlib.sha256("".join(row.text + row.label for row in rows).encode()).hexdigest()[:16]
    result["fitted_on"] = {
        "rows": str(len(rows)),
        "texts": digest,
        "entries": store.digests(),
        "model": adapter.key(model),
    }
    if not args.dry_run:
        RANKING.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
