"""What an answer holds, and how it is put together from a ranking. Rendering is another module's job."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .conditions import holds
from .match import Ranked, Scored
from .paste import Found, Paste
from .types import LANGS, JSONObject, Pitfall

SCHEMA = 1
CLOSE = 0.55  # the second candidate's share of the first's probability from which both are named


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that speaks for (or against) a match. `kind`: signature, context, words, meaning, fact."""

    kind: Literal["signature", "context", "words", "meaning", "fact"]
    text: str
    value: float | None = None
    speaks: Literal["for", "against"] = "for"


@dataclass(frozen=True, slots=True)
class Match:
    """One candidate. `probability` is calibrated, 0..1; `pitfall` is read from the index when asked for."""

    id: str
    probability: float
    why: tuple[Reason, ...]
    says: Mapping[str, tuple[str, ...]]
    """What the numbers in the message mean, by language."""
    signature: int | None = None
    """Which of the entry's signatures the text shows."""
    _load: Callable[[str], Pitfall] = field(repr=False, compare=False, default=None)  # type: ignore[assignment]

    @property
    def pitfall(self) -> Pitfall:
        return self._load(self.id)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one text. `match` is None where nothing fits well enough; `candidates` are best first.

    `rival` is a candidate that the text cannot tell from `match`; `notes` says what was done without (no vectors, ...).
    """

    match: Match | None
    candidates: Sequence[Match]
    lang: str
    paste: Paste = field(repr=False)
    none: float = 0.0
    rival: Match | None = None
    notes: tuple[str, ...] = ()
    calibrated: bool = True

    @property
    def root(self) -> Found | None:
        """The error that leads, as found in the text."""
        return self.paste.root

    @property
    def wrappers(self) -> tuple[Found, ...]:
        """Errors in the text that only carry the root."""
        return tuple(error for error in self.paste.errors if error.role == "wrapper" and error is not self.paste.root)


def build(ranked: Ranked, paste: Paste, lang: str, load: Callable[[str], Pitfall], notes: tuple[str, ...], calibrated: bool) -> Answer:
    """Turn a ranking into an Answer."""
    candidates = tuple(_match(scored, paste, load) for scored in ranked.candidates)
    match = candidates[0] if ranked.answered and candidates else None
    rival = None
    if match and len(candidates) > 1 and candidates[1].probability >= CLOSE * match.probability:
        rival = candidates[1]
    return Answer(match, candidates, lang, paste, ranked.none, rival, notes, calibrated)


def _match(scored: Scored, paste: Paste, load: Callable[[str], Pitfall]) -> Match:
    reasons: list[Reason] = []
    says: dict[str, tuple[str, ...]] = {}
    claim = scored.claim
    if claim is not None:
        line = paste.text[claim.start : claim.end]
        reasons.append(Reason("signature", " ".join(line.split())[:300]))
        if claim.context:
            signature = load(scored.id).signatures[claim.number]
            reasons.append(Reason("context", signature.context or ""))
        said = load(scored.id).signatures[claim.number].says
        values = dict(claim.groups)
        for lang in LANGS:
            says[lang] = tuple(filled(item.text[lang], values) for item in said if _applies(item.when, values) and _complete(item.text[lang], values))
    if scored.lexical >= 0.5:
        reasons.append(Reason("words", "", round(scored.lexical, 3)))
    if scored.cosine >= 0.35:
        reasons.append(Reason("meaning", "", round(scored.cosine, 3)))
    return Match(scored.id, scored.probability, tuple(reasons), says, claim.number if claim else None, load)


def _applies(when: str | None, values: Mapping[str, str]) -> bool:
    return when is None or holds(when, values)


def _complete(text: str, values: Mapping[str, str]) -> bool:
    """A sentence whose number is not in this message is not said."""
    return all(name in values for name in re.findall(r"\{(\w+)\}", text))


def filled(text: str, values: Mapping[str, str]) -> str:
    """`text` with {name} replaced; nothing else in it is special."""
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), text)


def as_json(answer: Answer) -> JSONObject:
    """The documented JSON form (README, "JSON"); `schema` counts up when a field changes its meaning."""

    def match(item: Match, full: bool) -> JSONObject:
        entry = item.pitfall
        data: JSONObject = {
            "id": item.id, "probability": item.probability, "title": entry.title[answer.lang], "category": entry.category,
            "kind": entry.kind, "effect": entry.effect,
            "why": [{"kind": reason.kind, "text": reason.text, "value": reason.value, "speaks": reason.speaks} for reason in item.why],
        }  # fmt: skip
        if full:
            data.update(
                says=list(item.says.get(answer.lang, ())), cause=entry.cause[answer.lang], fix=entry.fix[answer.lang], check=entry.check[answer.lang],
                look_alikes=[pair.id for pair in entry.look_alikes], sources=[source_json(source) for source in entry.sources],
                confirm=f"torchwhy confirm {item.id}" if entry.repro else None,
            )  # fmt: skip
        return data

    root = answer.root
    return {
        "schema": SCHEMA, "lang": answer.lang, "match": match(answer.match, True) if answer.match else None,
        "rival": match(answer.rival, True) if answer.rival else None,
        "candidates": [match(item, False) for item in list(answer.candidates)[:5]], "none": answer.none, "calibrated": answer.calibrated,
        "error": {"exception": root.exception, "message": root.message, "role": root.role, "rank": root.rank} if root else None,
        "wrappers": [f"{error.exception}: {error.message.splitlines()[0] if error.message else ''}" for error in answer.wrappers],
        "foreign": list(answer.paste.foreign), "torch": answer.paste.torch, "notes": list(answer.notes),
    }  # fmt: skip


def source_json(source: Any) -> JSONObject:
    return {name: value for name in ("document", "section", "url", "title") if (value := getattr(source, name)) is not None}
