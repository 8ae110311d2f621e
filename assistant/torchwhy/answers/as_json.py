"""The documented JSON form of an answer (`answer.schema.json`)."""

from __future__ import annotations

from typing import Any

from torchwhy.knowledge.site import page_of_entry, page_of_family
from torchwhy.runtime.json_types import JSONObject

from .answer import Answer, FamilyMatch, Match
from .family_page import answer_label
from .screen import screen_json, screen_of

SCHEMA = 1
LINE_END = "\n"


def as_json(answer: Answer) -> JSONObject:
    """The documented JSON form (docs/json.md); `schema` counts up when a field changes its meaning."""
    family, root, own, facts = answer.family, answer.root, answer.python_error, answer.facts
    lang = answer.lang
    return {
        "schema": SCHEMA,
        "lang": lang,
        "match": match_json(answer.match, lang, full=True) if answer.match else None,
        "rival": match_json(answer.rival, lang, full=True) if answer.rival else None,
        "candidates": [match_json(item, lang) for item in list(answer.candidates)[:5]],
        "none": answer.none,
        "calibrated": answer.calibrated,
        "error": _fields(root, "exception", "message", "role") | {"rank": root.told_rank} if root else None,
        "here": _fields(answer.here, "file", "line", "code", "function") if answer.here else None,
        "origins": [each._asdict() for each in answer.evidence.origins],
        "package": _fields(answer.package, "name", "release") if answer.package else None,
        "wrappers": [f"{each.exception}: {each.message.partition(LINE_END)[0]}" for each in answer.wrappers],
        "python_error": _fields(own, "exception", "message") | {"near": list(own.near)} if own else None,
        "screen": screen_json(screen_of(answer)),
        "foreign": list(answer.paste.foreign),
        "torch": answer.paste.torch,
        "notes": list(answer.notes),
        "heard": list(answer.heard),
        "family": family_json(family, lang) if family else None,
        "likely": [match_json(item, lang) for item in answer.likely],
        "machine": {
            "origin": facts.origin,
            "interpreter": facts.interpreter or None,
            "torch": facts.get("torch.version").value,
        }
        if facts
        else None,
        "code": None if answer.code is None else {"findings": [each.as_json(lang) for each in answer.code]},
    }


def match_json(item: Match, lang: str, *, full: bool = False) -> JSONObject:
    """A candidate; `full`: with its texts and sources."""
    entry = item.pitfall
    data: JSONObject = {
        "id": item.id,
        "probability": item.probability,
        "title": entry.title[lang],
        **_fields(entry, "category", "kind", "effect"),
        "page": page_of_entry(entry, lang),
        "why": [
            {
                "kind": reason.kind,
                "text": reason.text_in(lang),
                "value": reason.value,
                "speaks": reason.speaks,
            }
            | ({"facts": dict(reason.values), "origin": reason.origin} if reason.kind == "fact" else {})
            for reason in item.why
        ],
    }
    if full:
        data.update(
            says=list(item.says.get(lang, ())),
            branch=item.closest(lang) or None,
            cause=entry.cause[lang],
            fix=entry.fix[lang],
            check=entry.check[lang],
            look_alikes=[pair.id for pair in entry.look_alikes],
            sources=[source_json(source) for source in entry.sources],
            confirm=f"torchwhy confirm {item.id}" if entry.repro else None,
        )
    return data


def family_json(family: FamilyMatch, lang: str) -> JSONObject:
    """A family: its members, best first, and the checks that tell them apart, the most telling one first."""
    return {
        "id": family.id,
        "probability": family.probability,
        "title": family.family.title[lang],
        "about": family.family.about[lang],
        "page": page_of_family(family.family, lang),
        "members": [match_json(item, lang) for item in family.members],
        "checks": [
            {
                "ask": check.ask[lang],
                "answers": [
                    {
                        "id": answer.id,
                        "label": answer_label(answer, lang),
                        "raises": list(answer.raises),
                        "lowers": list(answer.lowers),
                    }
                    for answer in check.answers
                ],
            }
            for check in family.checks
        ],
        "answered": [answer_label(answer, lang) for answer in family.answered],
        "sources": [source_json(source) for source in family.family.sources],
    }


def source_json(source: Any) -> JSONObject:
    told = _fields(source, "document", "section", "url", "title")
    return {name: value for name, value in told.items() if value is not None}


def _fields(part: object, *names: str) -> JSONObject:
    return {name: getattr(part, name) for name in names}
