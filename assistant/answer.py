"""What an answer holds, and how it is put together from a ranking. Rendering is another module's job."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from .conditions import holds
from .conditions import parse as terms
from .facts import Facts, canonical, is_fact, is_version, shown
from .markup import inside_span, quoted
from .match import Ranked, Scored
from .paste import Found, Paste
from .types import LANGS, Bilingual, JSONObject, Pitfall

if TYPE_CHECKING:
    from .replies import Reply

SCHEMA = 1
LOOKED_AT = 3  # candidates for which the machine's facts are looked at
FACT_ODDS = 2.0  # a convention, not fitted: no labelled text comes with its machine
MOST_FACTS = 2  # facts that count for one candidate
CLOSE = 0.55  # the second candidate's share of the first's probability from which both are named


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that speaks for (or against) a match. `kind`: signature, context, words, meaning, fact.

    For a fact, `said` is the entry's sentence, `values` the facts that it rests on (name, shown value), `origin` whose
    they are: this `machine`'s or a pasted `report`'s. `text` is then the sentence in English with the values.
    """

    kind: Literal["signature", "context", "words", "meaning", "fact"]
    text: str
    value: float | None = None
    speaks: Literal["for", "against"] = "for"
    said: Bilingual | None = None
    values: tuple[tuple[str, str], ...] = ()
    origin: str = ""

    def text_in(self, lang: str) -> str:
        """The text, for a fact in that language."""
        if self.said is None:
            return self.text
        return f"{self.said[lang]} ({', '.join(f'{name} = {value}' for name, value in self.values)})"


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
    reply: Reply | None = None
    """What a turn of a conversation says (`Conversation.say`); None for a plain question."""
    facts: Facts | None = field(default=None, repr=False)
    """The facts that were looked at: this machine's or a pasted report's; None where none were."""

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
    return Answer(match, candidates, lang, paste, ranked.none, _rival(match, candidates), notes, calibrated)


def with_facts(answer: Answer, facts: Facts) -> Answer:
    """The answer with what these facts say for or against its first candidates.

    A fact that speaks for a candidate multiplies its odds by FACT_ODDS, one that speaks against divides them: enough to
    decide between two that the text leaves close, too little to overrule what the text says. Whether anything is answered
    at all stays the text's business.
    """
    looked = list(answer.candidates)[:LOOKED_AT]
    reasons = [fact_reasons(item.pitfall, facts) for item in looked]
    net = [sum(1 if reason.speaks == "for" else -1 for reason in said) for said in reasons]
    odds = [FACT_ODDS ** max(-MOST_FACTS, min(MOST_FACTS, each)) for each in net] if answer.facts is None else [1.0] * len(looked)
    weights = [item.probability * by for item, by in zip(looked, odds, strict=True)]
    rest = list(answer.candidates)[len(looked) :]
    before = sum(item.probability for item in looked)
    scale = 1.0 / (1.0 - before + sum(weights)) if any(by != 1.0 for by in odds) else 1.0  # all candidates and none still add up to one
    changed = [replace(item, why=(*item.why, *said), probability=round(weight * scale, 4)) for item, said, weight in zip(looked, reasons, weights, strict=True)]
    changed.sort(key=lambda item: -item.probability)  # stable: equal ones keep the text's order
    candidates = (*changed, *(replace(item, probability=round(item.probability * scale, 4)) for item in rest))
    match = candidates[0] if answer.match and candidates else None
    return replace(
        answer, match=match, rival=_rival(match, candidates), candidates=candidates, none=round(answer.none * scale, 4), facts=facts
    )  # fmt: skip


def _rival(match: Match | None, candidates: Sequence[Match]) -> Match | None:
    """The candidate that cannot be told from the match, if there is one."""
    near = match is not None and len(candidates) > 1 and candidates[1].probability >= CLOSE * match.probability
    return candidates[1] if near else None


def fact_reasons(entry: Pitfall, facts: Facts) -> tuple[Reason, ...]:
    """The entry's rules that hold for these facts. A rule that needs a fact nobody knows says nothing."""
    reasons = []
    for rule in entry.facts:
        names = dict.fromkeys(name for left, _, right in terms(rule.when) for name in (left, right) if is_fact(name))
        found = {name: facts.get(name) for name in names}
        values = {name: fact.value for name, fact in found.items()}
        if all(fact.known for fact in found.values()) and holds(rule.when, values, {name for name in names if is_version(name)}):
            told = tuple((canonical(name), shown(name, value)) for name, value in values.items())
            reason = Reason("fact", "", None, rule.speaks, rule.text, told, facts.origin)
            reasons.append(replace(reason, text=reason.text_in("en")))
    return tuple(reasons)


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
    """`text`, Markdown, with {name} replaced; nothing else in it is special, and no value can become markup."""

    def put(found: re.Match[str]) -> str:
        value = values.get(found[1], found[0])
        return inside_span(value) if text.count("`", 0, found.start()) % 2 else quoted(value, 300)

    return re.sub(r"\{(\w+)\}", put, text)


def as_json(answer: Answer) -> JSONObject:
    """The documented JSON form (README, "JSON"); `schema` counts up when a field changes its meaning."""

    def match(item: Match, full: bool) -> JSONObject:
        entry = item.pitfall
        data: JSONObject = {
            "id": item.id, "probability": item.probability, "title": entry.title[answer.lang], "category": entry.category,
            "kind": entry.kind, "effect": entry.effect,
            "why": [
                {"kind": reason.kind, "text": reason.text_in(answer.lang), "value": reason.value, "speaks": reason.speaks}
                | ({"facts": dict(reason.values), "origin": reason.origin} if reason.kind == "fact" else {})
                for reason in item.why
            ],
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
        "machine": machine_json(answer.facts) if answer.facts else None,
    }  # fmt: skip


def machine_json(facts: Facts) -> JSONObject:
    """Whose facts an answer rests on."""
    return {"origin": facts.origin, "interpreter": facts.interpreter or None, "torch": facts.get("torch.version").value}


def source_json(source: Any) -> JSONObject:
    return {name: value for name in ("document", "section", "url", "title") if (value := getattr(source, name)) is not None}
