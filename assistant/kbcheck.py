"""`torchwhy kb check`: every check of a knowledge base that runs no repro. The tests call the same functions."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from . import knowledge
from .patterns import compile_pattern
from .repro_rules import check_repro
from .types import LANGS, Pitfall, Problem

HAN = "\u4e00-\u9fff"
LOOSE = re.compile(rf"[{HAN}][A-Za-z0-9]|[A-Za-z0-9][{HAN}]")
HALF_WIDTH = re.compile(rf"[{HAN}][,;:?!](?:\s|[{HAN}]|$)|[{HAN}]\.(?:\s|$)")
CODE = re.compile(r"```.*?```|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|https?://\S+", re.DOTALL)
ALIKE = 0.8  # share of words two asks may have in common before they count as copies of one another


def check(roots: Iterable[Path], documents: Mapping[str, Any], only: Collection[str] = ()) -> list[Problem]:
    """Every problem of the knowledge bases; with `only`, those of these ids."""
    roots = list(roots)
    known = knowledge.load(roots, documents)
    problems = list(known.problems) + knowledge.dangling(roots, documents)
    for entry in known.pitfalls.values():
        if not only or entry.id in only:
            problems += check_repro(entry) + check_claims(entry, known.pitfalls) + check_chinese(entry)
    problems += [problem for problem in check_copies(known.pitfalls) if not only or problem.file.split("/")[1] in only]
    if only:
        problems = [problem for problem in problems if any(f"/{id}" in problem.file + "/" for id in only)]
    return list(dict.fromkeys(problems))


def claims(entry: Pitfall, text: str) -> bool:
    """Whether one of the entry's signatures, its context included, matches the text."""
    return any(
        compile_pattern(signature.pattern).search(text) and (signature.context is None or compile_pattern(signature.context).search(text))
        for signature in entry.signatures
    )


def check_claims(entry: Pitfall, pitfalls: Mapping[str, Pitfall]) -> list[Problem]:
    """The law of claims: every entry that claims an example is its owner or a declared look-alike."""
    problems = []
    file = f"{entry.category}/{entry.id}/pitfall.yaml"
    pairs = {pair.id for pair in entry.look_alikes}
    for number, signature in enumerate(entry.signatures):
        for other in pitfalls.values():
            if other.id != entry.id and other.id not in pairs and claims(other, signature.example):
                wanted = f"a narrower pattern, or {other.id} under look_alikes"
                problems.append(Problem(file, f"signatures[{number}].example", f"an example that {other.id} claims too", wanted))
    return problems


def check_chinese(entry: Pitfall) -> list[Problem]:
    """Chinese typography outside code: a space between 汉字 and Latin words or digits, full-width punctuation."""
    file = f"{entry.category}/{entry.id}/pitfall.yaml"
    texts = {name: getattr(entry, name).zh for name in ("title", "cause", "fix", "check")}
    texts |= {f"facts[{number}]": fact.text.zh for number, fact in enumerate(entry.facts)}
    for number, signature in enumerate(entry.signatures):
        texts |= {f"signatures[{number}].says[{at}]": said.text.zh for at, said in enumerate(signature.says)}
    problems = []
    for field, text in texts.items():
        prose = CODE.sub(" ", re.sub(r"\{[^{}]*\}", " ", text))
        for rule, wanted in ((LOOSE, "a space between 汉字 and Latin letters or digits"), (HALF_WIDTH, "full-width punctuation after 汉字")):
            found = rule.search(prose)
            if found:
                around = prose[max(0, found.start() - 8) : found.end() + 8].replace("\n", " ")
                problems.append(Problem(file, f"{field}.zh", repr(around), wanted))
    return problems


def shingles(text: str) -> frozenset[str]:
    """Words of a Latin text, pairs of characters of a Chinese one: what near-copies share."""
    text = text.lower()
    words = set(re.findall(r"[a-z0-9_.]+", text))
    for run in re.findall(f"[{HAN}]+", text):
        words |= {run[at : at + 2] for at in range(max(1, len(run) - 1))}
    return frozenset(words)


def check_copies(pitfalls: Mapping[str, Pitfall]) -> list[Problem]:
    """No ask is a near-copy of another, in the same entry or in another one.

    Two sets whose overlap is at least ALIKE share one of the rarest words of each: only those pairs are compared.
    """
    problems = []
    for lang in LANGS:
        rows = [(entry, line, shingles(line)) for entry in pitfalls.values() for line in entry.asks[lang]]
        spread = Counter(word for *_, words in rows for word in words)
        seen: dict[str, list[int]] = {}
        for at, (entry, line, words) in enumerate(rows):
            rare = sorted(words, key=lambda word: (spread[word], word))[: len(words) - math.ceil(ALIKE * len(words)) + 1]
            for before in sorted({number for word in rare for number in seen.get(word, ())}):
                other, other_line, other_words = rows[before]
                if len(words & other_words) / len(words | other_words) >= ALIKE:
                    file = f"{entry.category}/{entry.id}/pitfall.yaml"
                    problems.append(Problem(file, f"asks.{lang}", line, f"one unlike {other_line!r} of {other.id}"))
            for word in rare:
                seen.setdefault(word, []).append(at)
    return problems
