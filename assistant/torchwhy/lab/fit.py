"""`python -m torchwhy.lab.fit FILE...`: fit the ranking's weights and write `ranking.json`. Needs torch; run
by maintainers.

A conditional logit over each text's candidates and "none", with an L2 pull towards zero. What is reported,
and what the temperature and the threshold are chosen on, is the cross-validated prediction: each row is
judged by weights fitted without any row of its label.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Sequence
from typing import Any

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

from .evaluate import LabelledText, Outcome, load_rows, measure, usable
from .fit_answers import Case, Judged, choose_listed, fit_families, listed_outcomes
from .gate import trained_half
from .predictions import save_outcomes
from .table import table

FOLDS = 10
L2 = 0.02
# A threshold is given up only for one that costs this share less: the costs of 0.24 to 0.64 lie within it,
# and other rows of the same kind choose any of them. On texts kept apart 0.28 and 0.54 cost about the same
# (181 and 175): of the 44 answers more that 0.28 gives, 28 are right, and each says how unsure it is.
MIN_THRESHOLD_GAIN = 0.1
REAL = 3.0  # how much a text that restates a public thread counts, against one written for the purpose


def unfitted() -> Ranking:
    """A ranking without weights, for what is asked for evidence alone."""
    part = {"weights": (), "none": (), "temperature": 1.0, "threshold": 1.0, "family": (), "listed": 1.0}
    return Ranking({"full": part, "quick": part})


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


def fit(
    data: Sequence[FeatureTable], rows: Sequence[LabelledText], weights: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Weights of the entries' features and of none's, by L-BFGS. `weights`: how much each row counts."""
    import torch

    width = max(len(of_row.rows) for of_row in data)
    x = torch.zeros(len(data), width, len(features.NAMES))
    mask = torch.full((len(data), width + 1), float("-inf"))
    z = torch.tensor([of_row.none for of_row in data])
    target = torch.zeros(len(data), width + 1)
    for n, (of_row, row) in enumerate(zip(data, rows, strict=True)):
        entries = sorted(of_row.rows)
        if not entries:
            continue  # nothing to choose from, so nothing to learn
        x[n, : len(entries)] = torch.tensor([of_row.rows[entry] for entry in entries])
        mask[n, : len(entries)] = 0.0
        target[n, : len(entries)] = torch.tensor([float(entry in row.right) for entry in entries])
        mask[n, width] = 0.0
        target[n, width] = float(row.label == "none")
    keep = target.sum(1) > 0  # the right entry is not among the candidates: nothing to learn
    counts = torch.tensor(weights)[keep]
    x, mask, z, target = x[keep], mask[keep], z[keep], target[keep]
    w = torch.zeros(len(features.NAMES), requires_grad=True)
    v = torch.zeros(len(features.NONE_NAMES), requires_grad=True)
    optimizer = torch.optim.LBFGS([w, v], max_iter=100, line_search_fn="strong_wolfe", tolerance_grad=1e-6)

    def closure() -> Any:
        optimizer.zero_grad()
        logits = torch.cat([x @ w, (z @ v)[:, None]], 1) + mask
        log_p = torch.log_softmax(logits, 1)
        likelihood = torch.logsumexp(log_p + torch.where(target > 0, 0.0, float("-inf")), 1)
        loss = -(likelihood * counts).sum() / counts.sum() + L2 * (w.square().sum() + v.square().sum()) / 10
        loss.backward()
        return loss

    optimizer.step(closure)
    return w.detach().tolist(), v.detach().tolist()


def folds(rows: Sequence[LabelledText]) -> list[int]:
    """A fold for each row: all rows of a label share one; foreign rows are dealt out."""
    rng = random.Random(0)
    labels = sorted({row.label for row in rows} - {"none"})
    rng.shuffle(labels)
    fold = {label: at % FOLDS for at, label in enumerate(labels)}
    return [fold[row.label] if row.label != "none" else rng.randrange(FOLDS) for row in rows]


def cross_validated(
    data: Sequence[FeatureTable], rows: Sequence[LabelledText], weights: Sequence[float]
) -> list[dict[str, Any]]:
    """For each row, the weights that were fitted without its fold."""
    fold = folds(rows)
    parts = []
    for number in range(FOLDS):
        inside = [at for at, own in enumerate(fold) if own != number]
        w, v = fit([data[at] for at in inside], [rows[at] for at in inside], [weights[at] for at in inside])
        parts.append({"weights": w, "none": v, "temperature": 1.0})
    return [parts[own] for own in fold]


def predict(
    parts: Sequence[dict[str, Any]], data: Sequence[FeatureTable], temperature: float, threshold: float
) -> list[Outcome]:
    result = []
    for part, of_row in zip(parts, data, strict=True):
        full = {**part, "temperature": temperature, "threshold": threshold, "family": (), "listed": 1.0}
        ranking = Ranking({"full": full, "quick": full})
        found, none = ranking.probabilities(of_row, True)
        best = found[0][0] if found else 0.0
        result.append(Outcome(tuple(id for _, _, id in found[:20]), best, best >= threshold and best > none))
    return result


def judged_of(
    parts: Sequence[dict[str, Any]], cases: Sequence[Case], temperature: float, *, vectors: bool
) -> list[Judged]:
    """Each case with its ranking by its own part's weights."""
    result = []
    for part, case in zip(parts, cases, strict=True):
        full = {**part, "temperature": temperature, "threshold": 0.0, "family": (), "listed": 1.0}
        found, none = Ranking({"full": full, "quick": full}).probabilities(case.features, vectors)
        first = found[:MAX_CANDIDATES]
        probabilities = {id: probability for probability, _, id in first}
        result.append(Judged(case, tuple(probabilities), probabilities, none))
    return result


def choose(
    parts: Sequence[dict[str, Any]],
    data: Sequence[FeatureTable],
    rows: Sequence[LabelledText],
    weights: Sequence[float],
    present: float | None = None,
) -> tuple[float, float]:
    """Temperature with the least calibration error, then the threshold with the least weight of wrong
    decisions; the `present` one unless another costs clearly less.
    """
    temperature = min(
        (t / 20 for t in range(10, 41)), key=lambda t: (measure(rows, predict(parts, data, t, 0.0))["ece"], t)
    )
    outcomes = predict(parts, data, temperature, 0.0)

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


def said_of_words(
    judged: Sequence[Judged], families: Sequence[Family], outcomes: list[Outcome]
) -> tuple[list[float], float]:
    """The family's weights and the probability from which a family or a list stands; `outcomes` of texts in
    words become what is then said.
    """
    family = fit_families(judged, families)
    lists = listed_outcomes(judged, families, family)
    opened = [at for at, each in enumerate(judged) if each.open]
    listed = choose_listed([(judged[at].case.row, lists[at]) for at in opened])
    print(f"family {family}, listed from {listed}")
    for at in opened:
        outcomes[at] = lists[at] if lists[at].probability >= listed else outcomes[at].refused()
    return family, listed


def present_thresholds() -> dict[str, float]:
    """The threshold of each part of ranking.json as it stands; {} without one."""
    if not RANKING.is_file():
        return {}
    data = json.loads(RANKING.read_text(encoding="utf-8"))
    return {name: float(data[name]["threshold"]) for name in ("quick", "full") if name in data}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m torchwhy.lab.fit", description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument(
        "--collected",
        nargs="*",
        default=[],
        metavar="FILE",
        help="files of data/training, of which the half counts that the gate was not trained on",
    )
    parser.add_argument("--dry-run", action="store_true", help="measure, leave ranking.json as it is")
    parser.add_argument(
        "--predictions",
        metavar="FILE",
        help="write each row's cross-validated prediction, for `torchwhy eval --ablate`",
    )
    parser.add_argument(
        "--uncovered",
        action="store_true",
        help="count rows that no entry covers as texts that nothing should be answered to",
    )
    return parser


def named_rows(args: argparse.Namespace, ids: Sequence[str]) -> list[tuple[str, LabelledText]]:
    """Every row with its file; of collected ones those that the gate was not trained on."""
    named = [
        (name, row)
        for name in args.files
        for row in usable(load_rows(name), ids, uncovered=args.uncovered)[0]
    ]
    named += [
        (name, row)
        for name in args.collected
        for row in usable(load_rows(name), ids)[0]
        if not trained_half(row.text)
    ]
    return named


def main() -> int:
    """Fit, report the cross-validated figures, and write ranking.json. Returns the exit status."""
    args = _parser().parse_args()
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
        data = [case.features for case in cases]
        parts = cross_validated(data, rows, weights)
        temperature, threshold = choose(parts, data, rows, weights, present.get(name))
        print(f"{name}: temperature {temperature}, threshold {threshold}; cross-validated:")
        outcomes = predict(parts, data, temperature, threshold)
        judged = judged_of(parts, cases, temperature, vectors=vectors)
        family, listed = said_of_words(judged, families, outcomes)
        if vectors:
            outcomes = [early.get(at, out) for at, out in enumerate(outcomes)]
        else:
            early = {at: out for at, out in enumerate(outcomes) if data[at].settled and out.answered}
        if vectors and args.predictions:
            save_outcomes(args.predictions, rows, outcomes)
        for file in [*args.files, *args.collected]:
            mine = [at for at, (own, _) in enumerate(named) if own == file]
            found = {"torchwhy": [outcomes[at] for at in mine]}
            print(file, table([rows[at] for at in mine], found, ablate=True), sep="\n")
        w, v = fit(data, rows, weights)
        result[name] = {
            "weights": [round(x, 4) for x in w],
            "none": [round(x, 4) for x in v],
            "temperature": temperature,
            "threshold": threshold,
            "family": family,
            "listed": listed,
        }
        for label, value in sorted(zip(features.NAMES, w, strict=True), key=lambda pair: -abs(pair[1])):
            print(f"   {label:18} {value:+.3f}")
        for label, value in zip(features.NONE_NAMES, v, strict=True):
            print(f"   none: {label:12} {value:+.3f}")
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
