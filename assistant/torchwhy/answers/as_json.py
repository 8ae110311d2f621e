"""The documented JSON form of an answer (`answer.schema.json`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchwhy.knowledge.site import page_of_entry, page_of_family
from torchwhy.paste.place import UserFrame
from torchwhy.runtime.json_types import JSONObject

from .answer import Answer, FamilyMatch, Match
from .family_page import answer_label
from .screen import screen_json, screen_of

if TYPE_CHECKING:
    from torchwhy.knowledge.facts import Facts

SCHEMA = 1
LINE_END = "\n"


def as_json(answer: Answer) -> JSONObject:
    """The documented JSON form (docs/json.md); `schema` counts up when a field changes its meaning."""

    def match(item: Match, full: bool) -> JSONObject:
        entry = item.pitfall
        data: JSONObject = {
            "id": item.id,
            "probability": item.probability,
            "title": entry.title[answer.lang],
            "category": entry.category,
            "kind": entry.kind,
            "effect": entry.effect,
            "page": page_of_entry(entry, answer.lang),
            "why": [
                {
                    "kind": reason.kind,
                    "text": reason.text_in(answer.lang),
                    "value": reason.value,
                    "speaks": reason.speaks,
                }
                | ({"facts": dict(reason.values), "origin": reason.origin} if reason.kind == "fact" else {})
                for reason in item.why
            ],
        }
        if full:
            data.update(
                says=list(item.says.get(answer.lang, ())),
                cause=entry.cause[answer.lang],
                fix=entry.fix[answer.lang],
                check=entry.check[answer.lang],
                look_alikes=[pair.id for pair in entry.look_alikes],
                sources=[source_json(source) for source in entry.sources],
                confirm=f"torchwhy confirm {item.id}" if entry.repro else None,
            )
        return data

    family = answer.family
    members = [match(item, False) for item in family.members] if family else []
    return {
        "schema": SCHEMA,
        "lang": answer.lang,
        "match": match(answer.match, True) if answer.match else None,
        "rival": match(answer.rival, True) if answer.rival else None,
        "candidates": [match(item, False) for item in list(answer.candidates)[:5]],
        "none": answer.none,
        "calibrated": answer.calibrated,
        "error": error_json(answer),
        "here": here_json(answer.here),
        "origins": [each._asdict() for each in answer.evidence.origins],
        "package": package_json(answer),
        "wrappers": wrappers_json(answer),
        "python_error": python_error_json(answer),
        "screen": screen_json(screen_of(answer)),
        "foreign": list(answer.paste.foreign),
        "torch": answer.paste.torch,
        "notes": list(answer.notes),
        "family": family_json(family, answer.lang, members) if family else None,
        "machine": machine_json(answer.facts) if answer.facts else None,
        "code": code_json(answer),
    }


def code_json(answer: Answer) -> JSONObject | None:
    """What was found in the code that was given."""
    if answer.code is None:
        return None
    return {"findings": [each.as_json(answer.lang) for each in answer.code]}


def wrappers_json(answer: Answer) -> list[str]:
    """The errors that only carry the leading one, each as its first line."""
    return [f"{each.exception}: {each.message.partition(LINE_END)[0]}" for each in answer.wrappers]


def error_json(answer: Answer) -> JSONObject | None:
    """The leading error."""
    root = answer.root
    if root is None:
        return None
    return {"exception": root.exception, "message": root.message, "role": root.role, "rank": root.told_rank}


def package_json(answer: Answer) -> JSONObject | None:
    """The package whose line failed."""
    package = answer.package
    return {"name": package.name, "release": package.release} if package else None


def here_json(here: UserFrame | None) -> JSONObject | None:
    """The user's own line."""
    if here is None:
        return None
    return {"file": here.file, "line": here.line, "code": here.code, "function": here.function}


def family_json(family: FamilyMatch, lang: str, members: list[JSONObject]) -> JSONObject:
    """A family: its members, best first, and the checks that tell them apart, the most telling one first."""
    return {
        "id": family.id,
        "probability": family.probability,
        "title": family.family.title[lang],
        "about": family.family.about[lang],
        "page": page_of_family(family.family, lang),
        "members": members,
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


def python_error_json(answer: Answer) -> JSONObject | None:
    """The error that is Python's own, with the names that are near to what it misses."""
    own = answer.python_error
    if own is None:
        return None
    return {"exception": own.exception, "message": own.message, "near": list(own.near)}


def machine_json(facts: Facts) -> JSONObject:
    """Whose facts an answer rests on."""
    return {
        "origin": facts.origin,
        "interpreter": facts.interpreter or None,
        "torch": facts.get("torch.version").value,
    }


def source_json(source: Any) -> JSONObject:
    return {
        name: value
        for name in ("document", "section", "url", "title")
        if (value := getattr(source, name)) is not None
    }
