"""A `Pitfall` or a `Family` from its JSON form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchwhy.knowledge.entry import (
    ChangeTemplate,
    EditTemplate,
    FactRule,
    LookAlike,
    Needs,
    Neighbour,
    Pitfall,
    Says,
    Signature,
    Source,
)
from torchwhy.text.language import Bilingual

if TYPE_CHECKING:
    from torchwhy.knowledge.family import CheckAnswer, Family


def decode(data: dict[str, Any]) -> Pitfall:
    """A Pitfall from its JSON form (`as_data`)."""

    def bilingual(value: Any) -> Bilingual:
        return Bilingual(value["en"], value["zh"])

    def change(item: Any) -> ChangeTemplate:
        return ChangeTemplate(
            bilingual(item["says"]) if item["says"] else None,
            item["when"],
            bilingual(item["do"]) if item["do"] else None,
            item["code"],
            tuple(EditTemplate(**edit) for edit in item["edits"]),
            bilingual(item["other"]) if item["other"] else None,
            item.get("only_as_edit", False),
            tuple(item["applied"]),
        )

    signatures = tuple(
        Signature(
            item["pattern"],
            item["example"],
            item["releases"],
            item["context"],
            tuple(Says(bilingual(said["text"]), said["when"]) for said in item["says"]),
            tuple(change(each) for each in item["change"]),
        )
        for item in data["signatures"]
    )
    return Pitfall(
        id=data["id"],
        category=data["category"],
        kind=data["kind"],
        effect=data["effect"],
        folder=data["folder"],
        title=bilingual(data["title"]),
        cause=bilingual(data["cause"]),
        fix=bilingual(data["fix"]),
        check=bilingual(data["check"]),
        asks={lang: tuple(lines) for lang, lines in data["asks"].items()},
        sources=tuple(Source(**item) for item in data["sources"]),
        signatures=signatures,
        change=tuple(change(item) for item in data["change"]),
        symptom=data["symptom"],
        look_alikes=tuple(LookAlike(**item) for item in data["look_alikes"]),
        neighbours=tuple(Neighbour(**item) for item in data.get("neighbours", ())),
        needs=Needs(**{**data["needs"], "packages": tuple(data["needs"]["packages"])}),
        facts=tuple(
            FactRule(item["when"], item["speaks"], bilingual(item["text"])) for item in data["facts"]
        ),
        no_repro=bilingual(data["no_repro"]) if data["no_repro"] else None,
        proved=data["proved"],
    )


def decode_family(data: dict[str, Any]) -> Family:
    """A Family from its JSON form (`as_data`)."""
    from torchwhy.knowledge.family import Check, CheckAnswer, Family

    def bilingual(value: Any) -> Bilingual:
        return Bilingual(value["en"], value["zh"])

    def answer(item: dict[str, Any]) -> CheckAnswer:
        label = bilingual(item["label"]) if item["label"] else None
        return CheckAnswer(
            item["id"], label, tuple(item["signs"]), tuple(item["raises"]), tuple(item["lowers"])
        )

    return Family(
        id=data["id"],
        title=bilingual(data["title"]),
        about=bilingual(data["about"]),
        signs=tuple(data["signs"]),
        members=tuple(data["members"]),
        checks=tuple(
            Check(bilingual(item["ask"]), tuple(answer(each) for each in item["answers"]))
            for item in data["checks"]
        ),
        sources=tuple(Source(**item) for item in data["sources"]),
    )
