"""`python -m torchwhy.lab.fit FILE...`: fit the ranking's weights on these texts and the knowledge's own
questions, and write `ranking.json`. Needs torch.

A conditional logit over each text's candidates and "none", with an L2 pull towards zero; of questions in
words, by language, towards the weights of all texts. What is reported, and what the temperature and the
threshold are chosen on, is the cross-validated prediction: each row is judged by weights fitted without any
row of its label.
"""

from __future__ import annotations

import argparse
import hashlib
import heapq
import json
import math
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, NamedTuple

from torchwhy.embedding import adapter
from torchwhy.embedding.model import find_model
from torchwhy.knowledge.files import QUESTIONS_FILES
from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.retrieval import features
from torchwhy.retrieval.build_vectors import Maker, open_vectors
from torchwhy.retrieval.compile import open_store
from torchwhy.retrieval.features import FeatureTable
from torchwhy.retrieval.matcher import Matcher
from torchwhy.retrieval.ranking import RANKING, Ranking
from torchwhy.text.language import LANGS

from .evaluate import LabelledText, Outcome, load_rows, measure, outcome, usable
from .fit_cases import (
    FeaturedText,
    Given,
    held_out,
    is_real,
    printed,
    sounded,
    sounding,
)
from .predictions import save_outcomes
from .table import table

FOLDS = 10
L2 = 0.02
L2_WORDS = 0.005  # of the pull of the weights for questions in words towards those of all texts
INNOCENT_SHARE = 0.25  # of questions in words those that no entry answers, whatever the rows hold
ELSEWHERE_STEP, ELSEWHERE_WEIGHT = 3, 0.3  # which answered questions are asked of other software too
MIN_WORDS = 100  # questions in words of a language, from which they have weights of their own
MAX_FITTED, CLAIMED = 60, 3.0  # candidates of a text, and how much a claim brings one to the front of them
# A threshold is given up only for one that costs this share less: the costs of 0.24 to 0.64 lie within it,
# and other rows of the same kind choose any of them. On texts kept apart 0.28 and 0.54 cost about the same
# (181 and 175): of the 44 answers more that 0.28 gives, 28 are right, and each says how unsure it is.
# Of questions in words it is chosen anew at each fit, since their temperature is.
MIN_THRESHOLD_GAIN = 0.1
MAX_EXTRA_COST = 0.05  # of a threshold that is as good as the cheapest, whose place a few rows decide
OWN_SHARE = 0.5  # of the probability of a question in words that is its label's, where others fit too
REAL = 3.0  # how much a text that restates a public thread counts, against one written for the purpose


Weights = tuple[list[float], list[float]]  # of the entries' features and of none's


def fit(
    data: Sequence[FeatureTable],
    rows: Sequence[LabelledText],
    weights: Sequence[float],
    towards: Weights | None = None,
) -> Weights:
    """The weights, by L-BFGS, pulled `towards` others, or zero. `weights`: how much each row counts."""
    import torch

    if towards:
        data, rows, weights = with_elsewhere(data, rows, weights)
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
        wanted = shares(row, entries)
        target[n, : len(entries)] = torch.tensor([wanted.get(entry, 0.0) for entry in entries])
        mask[n, width] = 0.0
        target[n, width] = wanted.get("none", 0.0)
    keep = target.sum(1) > 0  # the right entry is not among the candidates: nothing to learn
    counts = torch.tensor(weights)[keep]
    x, mask, z, target = x[keep], mask[keep], z[keep], target[keep]
    zero = [0.0] * len(features.NAMES), [0.0] * len(features.NONE_NAMES)
    w_pull, v_pull = (torch.tensor(part) for part in towards or zero)
    w, v = (part.clone().requires_grad_() for part in (w_pull, v_pull))
    strength = (L2_WORDS if towards else L2) / 10
    optimizer = torch.optim.LBFGS([w, v], max_iter=100, line_search_fn="strong_wolfe", tolerance_grad=1e-5)

    def closure() -> Any:
        optimizer.zero_grad()
        logits = torch.cat([x @ w, (z @ v)[:, None]], 1) + mask
        log_p = torch.log_softmax(logits, 1)
        if towards:
            likelihood = torch.where(target > 0, target * log_p, 0.0).sum(1)
        else:
            likelihood = torch.logsumexp(log_p + torch.where(target > 0, 0.0, float("-inf")), 1)
        pull = (w - w_pull).square().sum() + (v - v_pull).square().sum()
        loss = -(likelihood * counts).sum() / counts.sum() + strength * pull
        loss.backward()
        return loss

    optimizer.step(closure)
    return w.detach().tolist(), v.detach().tolist()


def shares(row: LabelledText, known: Iterable[str]) -> dict[str, float]:
    """What each of the known entries (or "none") should have of a text's probability: the label half where
    others are acceptable too, which share the rest.
    """
    others = row.right.intersection(known) - {row.label}
    given = dict.fromkeys(others, (1.0 - OWN_SHARE) / max(1, len(others)))
    if row.label == "none" or row.label in known:
        given[row.label] = OWN_SHARE
    total = sum(given.values())
    return {entry: share / total for entry, share in given.items()}


def with_elsewhere(
    data: Sequence[FeatureTable], rows: Sequence[LabelledText], weights: Sequence[float]
) -> tuple[Sequence[FeatureTable], Sequence[LabelledText], Sequence[float]]:
    """Questions in words and, of every third that an entry answers, the same asked of other software."""
    told = [at for at, row in enumerate(rows) if row.label != "none" and not data[at].none.foreign]
    again = told[::ELSEWHERE_STEP]
    return (
        [*data, *(data[at]._replace(none=data[at].none._replace(foreign=1.0)) for at in again)],
        [*rows, *(replace(rows[at], label="none", also=frozenset()) for at in again)],
        [*weights, *(ELSEWHERE_WEIGHT * weights[at] for at in again)],
    )


def narrowed(table: FeatureTable, right: Set[str]) -> FeatureTable:
    """The features that weights are fitted on: of the right candidates, and of those that may be taken for
    them.
    """

    def evidence(entry: str) -> float:
        own = table.rows[entry]
        claimed = own.settled + own.claim_root + own.claim_symptom + own.claim_other
        return CLAIMED * claimed + own.discriminant + own.bayes + own.cosine_lead + own.lexical_both

    first = heapq.nlargest(MAX_FITTED, sorted(table.rows), key=evidence)
    kept = {*first, *(right & table.rows.keys())}
    return table._replace(rows={entry: table.rows[entry] for entry in sorted(kept)})


def as_asked(rows: Sequence[LabelledText], weights: Sequence[float]) -> list[float]:
    """The rows' weights, so that those without an entry are the share of them that is asked."""
    innocent = sum(weight for row, weight in zip(rows, weights, strict=True) if row.label == "none")
    share = INNOCENT_SHARE / (1 - INNOCENT_SHARE) * (sum(weights) - innocent) / (innocent or 1.0)
    return [
        weight * (share if row.label == "none" else 1.0) for row, weight in zip(rows, weights, strict=True)
    ]


def folds(rows: Sequence[LabelledText]) -> list[int]:
    """A fold for each row: all rows of a label share one; foreign rows are dealt out."""
    rng = random.Random(0)
    labels = sorted({row.label for row in rows} - {"none"})
    rng.shuffle(labels)
    fold = {label: at % FOLDS for at, label in enumerate(labels)}
    return [fold[row.label] if row.label != "none" else rng.randrange(FOLDS) for row in rows]


def cross_validated(
    data: Sequence[FeatureTable],
    rows: Sequence[LabelledText],
    weights: Sequence[float],
    fold: Sequence[int] = (),
    towards: Sequence[dict[str, Any]] = (),
) -> list[dict[str, Any]]:
    """For each row, the weights that were fitted without its `fold`; pulled `towards` those of all texts that
    were.
    """
    fold = fold or folds(rows)
    shared = {own: (part["weights"], part["none"]) for own, part in zip(fold, towards, strict=False)}
    parts = {}
    for number in sorted(set(fold)):
        inside = [at for at, own in enumerate(fold) if own != number]
        given = [data[at] for at in inside], [rows[at] for at in inside], [weights[at] for at in inside]
        w, v = fit(*given, shared[number]) if shared else fit(*given)
        parts[number] = {"weights": w, "none": v, "temperature": 1.0}
    return [parts[own] for own in fold]


def ranking_of(part: Mapping[str, Any], temperature: float, threshold: float) -> Ranking:
    """A ranking that judges every text by this part's weights."""
    whole = {**part, "temperature": temperature, "threshold": threshold}
    return Ranking({"full": whole, "quick": whole})


def predict(
    parts: Sequence[dict[str, Any]], data: Sequence[FeatureTable], temperature: float, threshold: float
) -> list[Outcome]:
    result = []
    for part, of_row in zip(parts, data, strict=True):
        ranking = ranking_of(part, temperature, threshold)
        found, none = ranking.probabilities(of_row, True)
        best = found[0][0] if found else 0.0
        result.append(Outcome(tuple(id for _, _, id in found[:20]), best, best >= threshold and best > none))
    return result


def calibration_error(
    parts: Sequence[dict[str, Any]], data: Sequence[FeatureTable], rows: Sequence[LabelledText], t: float
) -> float:
    """The expected calibration error of the first candidates at a temperature."""
    return float(measure(rows, predict(parts, data, t, 0.0))["ece"])


def cross_entropy(
    parts: Sequence[dict[str, Any]], data: Sequence[FeatureTable], rows: Sequence[LabelledText], t: float
) -> float:
    """How far the probabilities at a temperature are from the shares that the rows' entries should have: a
    text that several entries fit should be shared by them.
    """
    total = 0.0
    for part, of_row, row in zip(parts, data, rows, strict=True):
        found, none = ranking_of(part, t, 0.0).probabilities(of_row, True)
        given = {entry: probability for probability, _, entry in found} | {"none": none}
        total -= sum(share * math.log(given[entry]) for entry, share in shares(row, given).items())
    return total


Deviation = Callable[[Sequence[dict[str, Any]], Sequence[FeatureTable], Sequence[LabelledText], float], float]
Judge = Callable[[Sequence[dict[str, Any]], Sequence[FeatureTable], float, float], list[Outcome]]


def judging(matcher: Matcher, cases: Sequence[FeaturedText]) -> Judge:
    """What is answered to questions in words, a family or several entries among it: `predict` knows one."""

    def judge(
        parts: Sequence[dict[str, Any]], data: Sequence[FeatureTable], temperature: float, threshold: float
    ) -> list[Outcome]:
        result = []
        for part, case, of_row in zip(parts, cases, data, strict=True):
            ranking = ranking_of(part, temperature, threshold)
            own = Matcher(matcher.store, matcher.open_vectors, ranking)
            result.append(outcome(own.judge(case.paste, of_row, case.near)))
        return result

    return judge


def choose(
    parts: Sequence[dict[str, Any]],
    data: Sequence[FeatureTable],
    rows: Sequence[LabelledText],
    weights: Sequence[float],
    present: float | None = None,
    judge: Judge = predict,
    deviation: Deviation = calibration_error,
) -> tuple[float, float]:
    """Temperature with the least deviation, then the middle of the thresholds with about the least
    weight of wrong decisions by `judge`; the `present` one unless another costs clearly less.
    """
    temperature = min((t / 20 for t in range(10, 41)), key=lambda t: (deviation(parts, data, rows, t), t))
    outcomes = judge(parts, data, temperature, 0.0)

    def cost(threshold: float) -> float:
        total = 0.0
        for row, out, weight in zip(rows, outcomes, weights, strict=True):
            answered = out.probability >= threshold and out.answered
            right = out.right(row)
            total += weight * (
                (2.0 if answered and not right else 0.0)
                + (1.0 if not answered and row.label != "none" and right else 0.0)
            )
        return total

    costs = {t / 50: cost(t / 50) for t in range(5, 45)}
    least = min(costs.values())
    if present is not None and cost(present) * (1 - MIN_THRESHOLD_GAIN) <= least:
        return temperature, present
    cheap = [t for t in costs if costs[t] <= least * (1 + MAX_EXTRA_COST)]
    return temperature, cheap[(len(cheap) - 1) // 2]


class Fitted(NamedTuple):
    """A part of ranking.json; of each row the weights that were fitted without its label, and the outcome."""

    part: dict[str, Any]
    parts: list[dict[str, Any]]
    outcomes: dict[int, Outcome]


def fitted(
    given: Given,
    judge: Judge,
    present: Mapping[str, Any] | None,
    towards: Sequence[dict[str, Any]] = (),
    whole: Mapping[str, Any] | None = None,
) -> Fitted:
    """Fit, cross-validate and choose; `present`: the part as it stands; `towards`, `whole`: the weights of
    all texts, by row and of all.
    """
    data, weights = [case.table for case in given.cases], as_asked(given.rows, given.weights)
    narrow = [narrowed(table, row.right) for table, row in zip(data, given.rows, strict=True)]
    parts = cross_validated(narrow, given.rows, weights, given.fold, towards)
    likely = [
        narrowed(table, frozenset()) for table in data
    ]  # of all candidates it takes eight times as long
    stands = present["threshold"] if present else None
    deviation = cross_entropy if towards else calibration_error
    temperature, threshold = choose(parts, likely, given.rows, weights, stands, judge, deviation)
    w, v = fit(narrow, given.rows, weights, (whole["weights"], whole["none"]) if whole else None)
    part = {
        "weights": [round(x, 4) for x in w],
        "none": [round(x, 4) for x in v],
        "temperature": temperature,
        "threshold": threshold,
    }
    return Fitted(part, parts, dict(enumerate(judge(parts, data, temperature, threshold))))


def report(name: str, part: Mapping[str, Any]) -> None:
    """Print what was fitted, the largest weights first."""
    print(f"{name}: temperature {part['temperature']}, threshold {part['threshold']}")
    weights = zip(features.NAMES, part["weights"], strict=True)
    for label, value in sorted(weights, key=lambda pair: -abs(pair[1])):
        print(f"   {label:18} {value:+.3f}")
    for label, value in zip(features.NONE_NAMES, part["none"], strict=True):
        print(f"   none: {label:12} {value:+.3f}")


def present_parts() -> dict[str, dict[str, Any]]:
    """The parts of ranking.json as it stands; {} without one, and where it has other features."""
    try:
        data = Ranking.load(RANKING).data
    except (FileNotFoundError, ValueError):
        return {}
    return {"quick": data["quick"], "full": data["full"], **data["full"].get("words", {})}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m torchwhy.lab.fit", description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument(
        "--quick", action="store_true", help="fit anew what judges without vectors, which otherwise stays"
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


def fitted_full(matcher: Matcher, given: Given, present: Mapping[str, Mapping[str, Any]]) -> Fitted:
    """The part that judges with vectors, and in it that of questions in words, by language."""
    found = fitted(given, predict, present.get("full"))
    report("full", found.part)
    for lang in LANGS:
        inside = [at for at, case in enumerate(given.cases) if case.table.lang == lang]
        if len(inside) < MIN_WORDS:
            continue
        words = given.some(inside)
        towards = [found.parts[at] for at in inside]
        own = fitted(words, judging(matcher, words.cases), None, towards, found.part)
        report(f"full, words, {lang}", own.part)
        found.part.setdefault("words", {})[lang] = own.part
        found.outcomes.update(zip(inside, own.outcomes.values(), strict=True))
    return found


def settled_early(
    matcher: Matcher, cases: Sequence[FeaturedText], quick: dict[str, Any]
) -> dict[int, Outcome]:
    """What a signature settles without vectors, which stands."""
    inside = [at for at, case in enumerate(cases) if case.table.settled]
    tables = [matcher.features(cases[at].paste) for at in inside]
    found = predict([quick] * len(inside), tables, quick["temperature"], quick["threshold"])
    return {at: out for at, out in zip(inside, found, strict=True) if out.answered}


def main() -> int:
    """Fit, report the cross-validated figures, and write ranking.json. Returns the exit status."""
    args = _parser().parse_args()
    roots = knowledge_roots()
    store, model = open_store(roots), find_model()
    ids = store.ids()
    learnt = [path for root in roots for name in QUESTIONS_FILES.values() if (path := root / name).exists()]
    named = [
        (name, row)
        for name in (*args.files, *map(str, learnt))
        for row in usable(load_rows(name), ids, uncovered=args.uncovered)[0]
    ]
    rows = [row for _, row in named]
    weights = [REAL if is_real(row) else 1.0 for row in rows]
    vectors = open_vectors(store, model)
    matcher = Matcher(store, lambda: vectors, ranking_of({"weights": (), "none": ()}, 1.0, 1.0))
    present, fold = present_parts(), folds(rows)
    maker = Maker(model, None, lambda what, done, total: None)
    given = Given(held_out(matcher, rows, maker.embed), rows, weights, fold)
    inside = [at for at, case in enumerate(given.cases) if case.table.lang]
    tone, sounds = sounded(given.some(inside), printed(store))
    sound = dict(zip(inside, sounds, strict=True))
    given = given._replace(cases=[sounding(case, sound.get(at, {})) for at, case in enumerate(given.cases)])
    if args.quick or not present:
        cases = held_out(matcher, rows, maker.embed, vectors=False)
        heard = {at: {"innocent": each["innocent"]} for at, each in sound.items()}
        cases = [sounding(case, heard.get(at, {})) for at, case in enumerate(cases)]
        present["quick"] = fitted(given._replace(cases=cases), predict, present.get("quick")).part
        report("quick", present["quick"])
    found = fitted_full(matcher, given, present)
    outcomes = found.outcomes | settled_early(matcher, given.cases, present["quick"])
    if args.predictions:
        save_outcomes(args.predictions, rows, list(outcomes.values()))
    for file in dict.fromkeys(name for name, _ in named):
        inside = [at for at, (own_file, _) in enumerate(named) if own_file == file]
        shown = {"torchwhy": [outcomes[at] for at in inside]}
        print(file, table([rows[at] for at in inside], shown, ablate=True), sep="\n")
    texts = "".join(row.text + row.label for row in rows)
    result = {
        "features": features.NAMES,
        "none_features": features.NONE_NAMES,
        "quick": present["quick"],
        "full": found.part,
        "tone": tone,
        "fitted_on": {
            "rows": str(len(rows)),
            "texts": hashlib.sha256(texts.encode()).hexdigest()[:16],
            "entries": store.digests(),
            "model": adapter.key(model),
        },
    }
    if not args.dry_run:
        RANKING.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
