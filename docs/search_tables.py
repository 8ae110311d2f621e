"""What the search page compares a text with, made from the knowledge base: patterns, how a paste is read, and
the words of every entry.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.family import Family
from torchwhy.knowledge.load import Knowledge
from torchwhy.knowledge.wordings import wordings_of
from torchwhy.paste import line_patterns, lines, parse
from torchwhy.retrieval import claims, matcher
from torchwhy.text import plain
from torchwhy.text.lazy_re import patterns_of

from .js_patterns import JSPattern, js_pattern

# Of these the page has no need: the user's own words, the release.
UNREAD = ("TORCH_RELEASE", "NOT_PROSE", "CALL")
# The patterns by which a paste is read (assistant/torchwhy/paste); assets/paste.js reads it in the same way.
PARSE_PATTERNS: Mapping[str, re.Pattern[str]] = {
    **{name: value for name, value in patterns_of(line_patterns).items() if name not in UNREAD},
    **{name: value for name, value in patterns_of(lines).items() if name.isupper()},
    **{name: getattr(plain, name) for name in ("ANSI", "CONTROL")},
}
LIMITS = {
    "message_lines": parse.MAX_MESSAGE_LINES,
    "matched_chars": parse.MAX_MATCHED_CHARS,
    "shell_chars": parse.MAX_SHELL_CHARS,
    "stamp_chars": lines.MAX_STAMP_CHARS,
    "prefix_chars": lines.MAX_PREFIX_CHARS,
    "prefixes": lines.MAX_PREFIXES,
    "rank_digits": lines.MAX_RANK_DIGITS,
    "heading_lines": lines.MAX_HEADING_LINES,
    "retyped_chars": matcher.MAX_RETYPED_CHARS,
    "longer_chars": claims.MIN_LONGER_CHARS,
}
TERM = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+")
MIN_TERM_CHARS = 2
MAX_SHARE = 0.25  # of the entries that hold a term; a more common one tells nothing
# What an entry must hold of a question's words, each by its rarity, to be shown: of short questions 109 of
# 126 find something (dev.jsonl), of those that have nothing to do with torch (written-foreign) 60 of 144
MIN_HELD = 0.4
WEIGHTS = (4.0, 3.0, 2.0)  # title, questions, messages
K1, B = 1.2, 0.75
MAX_TERM_CHARS = 24  # longer ones are hashes and paths
POINTS = 4  # a word's worth is kept as a whole number of quarters


def terms(text: str) -> list[str]:
    """The words of a text as the page counts them: Latin words, numbers, pairs of Chinese characters."""
    found: list[str] = []
    for word in TERM.findall(text.lower()):
        if word[0] >= "\u3400":
            found += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
        elif MIN_TERM_CHARS <= len(word) <= MAX_TERM_CHARS:
            found.append(word)
    return found


def tables(knowledge: Knowledge) -> dict[str, Any]:
    """Everything that the search page loads, as JSON."""
    pitfalls = list(knowledge.pitfalls.values())
    return {
        "entries": {
            entry.id: [entry.title.en, entry.title.zh, entry.kind, entry.category] for entry in pitfalls
        },
        "wordings": [row for entry in pitfalls for row in _wording_rows(entry)],
        "patterns": {name: _of_python(pattern) for name, pattern in PARSE_PATTERNS.items()},
        "lookups": sorted(parse.HANDLED_LOOKUPS),
        "role_order": parse.ROLE_ORDER,
        "role_weights": claims.ROLE_WEIGHT,
        "weight_outside": claims.WEIGHT_OUTSIDE_ERRORS,
        "quotes": _characters(plain.QUOTES),
        "entities": lines.ENTITIES,
        "head": lines.HEAD,
        "box_end": lines.BOX_END,
        "typed": _characters(matcher.TYPED),
        "limits": LIMITS,
        "words": word_table(pitfalls),
        "rarest": _worth(_rarity(0, len(pitfalls))),
        "min_held": MIN_HELD,
        "families": {family.id: _family_row(family) for family in knowledge.families.values()},
    }


def _wording_rows(entry: Pitfall) -> Iterable[list[Any]]:
    """Of each signature: entry, pattern, its flags, context ("" for none), its flags, and sets of texts, of
    each of which a match holds one.
    """
    for row in wordings_of(entry.id, entry.signatures):
        pattern = js_pattern(row.pattern, "re2", "i")
        context = js_pattern(row.context, "re2", "i") if row.context else JSPattern("", "")
        further = [line.split("\t") for line in row.further.split("\n")] if row.further else []
        yield [entry.id, *pattern, *context, [list(row.literals), *further] if row.literals else further]


def _of_python(pattern: re.Pattern[str]) -> list[str]:
    flags = "".join(
        letter for letter, flag in (("i", re.I), ("m", re.M), ("s", re.S)) if pattern.flags & flag
    )
    return list(js_pattern(pattern.pattern, "python", flags))


def _characters(table: Mapping[int, int | str]) -> dict[str, str]:
    """A table of `str.translate` as characters."""
    return {chr(code): to if isinstance(to, str) else chr(to) for code, to in table.items()}


def word_table(pitfalls: list[Pitfall]) -> dict[str, list[int]]:
    """Of each term its rarity, then of each entry that holds it its number and its bm25, in quarters; nothing
    of a term that many entries hold.
    """
    texts = [_columns(entry) for entry in pitfalls]
    counts = [[Counter(terms(column)) for column in text] for text in texts]
    lengths = [sum(sum(column.values()) for column in text) for text in counts]
    mean = sum(lengths) / max(1, len(lengths))
    mass: dict[str, dict[int, float]] = {}
    for number, text in enumerate(counts):
        for weight, column in zip(WEIGHTS, text, strict=True):
            for term, count in column.items():
                row = mass.setdefault(term, {})
                row[number] = row.get(number, 0.0) + weight * count
    table: dict[str, list[int]] = {}
    for term, row in sorted(mass.items()):
        if len(row) > MAX_SHARE * len(pitfalls):
            table[term] = []
            continue
        rarity = _rarity(len(row), len(pitfalls))
        flat = [_worth(rarity)]
        for number, value in row.items():
            share = 1 - B + B * lengths[number] / mean
            flat += [number, _worth(rarity * value * (K1 + 1) / (value + K1 * share))]
        table[term] = flat
    return table


def _rarity(holding: int, entries: int) -> float:
    return math.log((entries - holding + 0.5) / (holding + 0.5))


def _worth(value: float) -> int:
    return round(POINTS * value)


def _family_row(family: Family) -> list[Any]:
    """Titles, members, and the signs of its symptom as patterns."""
    signs = [list(js_pattern(sign, "re2", "i")) for sign in family.signs]
    return [family.title.en, family.title.zh, list(family.members), signs]


def _columns(entry: Pitfall) -> tuple[str, str, str]:
    title = f"{entry.id} {entry.title.en} {entry.title.zh}"
    asks = "\n".join(ask for questions in entry.asks.values() for ask in questions)
    messages = "\n".join(signature.example for signature in entry.signatures)
    return title, asks, messages
