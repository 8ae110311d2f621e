"""Pages of entries and families: the message in full, the fix first, what the script printed where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torchwhy.answers.entry_page import effect_word, kind_word, public_sources, source_line
from torchwhy.knowledge.entry import Pitfall, Signature, Source
from torchwhy.knowledge.evidence import SAYS_NOTHING, EvidenceFile, files, release_key, shipped_folder
from torchwhy.knowledge.family import NO, YES, CheckAnswer, Family
from torchwhy.knowledge.load import Knowledge
from torchwhy.knowledge.printed import Record, read_records
from torchwhy.knowledge.script_hashes import file_hash
from torchwhy.text.markup import one_line
from torchwhy.text.width import first_sentence

from .page import LANGS, Page
from .phrases import say
from .prose import code_html, inline_html, markdown_html
from .render import filled, html

MAX_CELL_CHARS = 240  # of a message in a table
MAX_DESCRIPTION_CHARS = 200


@dataclass(frozen=True, slots=True)
class Seen:
    """Where an example was printed, in words; `url` of a public page, `but` what differs there."""

    text: str
    url: str = ""
    but: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One recorded run of an entry's present script."""

    torch: str
    device: str
    verdict: str
    message: str
    date: str


def shipped_evidence() -> list[EvidenceFile]:
    """Every recorded file, the newest release first."""
    found = [data for _, data in files(shipped_folder())]
    return sorted(found, key=lambda data: release_key(data["torch"]), reverse=True)


def runs_of(entry: Pitfall, evidence: list[EvidenceFile]) -> list[Run]:
    """The recorded runs of the entry's script as it is now that say something, the newest release first."""
    if entry.repro is None:
        return []
    present = file_hash(entry.repro)
    rows = [(data, data["entries"].get(entry.id)) for data in evidence]
    return [
        Run(
            str(data["torch"]),
            data["device"],
            row["verdict"],
            one_line(row["message"], MAX_CELL_CHARS),
            row["date"],
        )
        for data, row in rows
        if row and row["sha256"] == present and row["verdict"] not in SAYS_NOTHING
    ]


def no_runs_says(entry: Pitfall, evidence: list[EvidenceFile], lang: str) -> str:
    """Why no run of the entry's present script is shown: those on record are of an earlier form of it, or no
    machine had what it needs, or none was made.
    """
    rows = [(str(data["torch"]), data["entries"].get(entry.id)) for data in evidence]
    earlier = [torch for torch, row in rows if row and row["verdict"] not in SAYS_NOTHING]
    comma = "、" if lang == "zh" else ", "
    if earlier:
        return say("runs_earlier", lang, releases=comma.join(dict.fromkeys(earlier)))
    if entry.needs.cuda or entry.needs.gpus:
        return say("runs_need", lang, needs=say("a_gpu", lang))
    if entry.needs.packages:
        return say("runs_need", lang, needs=comma.join(entry.needs.packages))
    return say("runs_none", lang)


def seen_of(signature: Signature, records: list[Record], entry: Pitfall, lang: str) -> Seen | None:
    """Where a signature's example was printed."""
    record = next(
        (one for one in records if one.get("example", "").strip() == signature.example.strip()), None
    )
    if record is None:
        return Seen(say("printed_today", lang)) if entry.repro else None
    if "repro" in record:
        return Seen(say("printed_by_script", lang, torch=record["repro"]))
    if "torch" in record:
        return Seen(say("printed_by_program", lang, torch=record["torch"]))
    if "thread" in record:
        return Seen(say("printed_in_thread", lang), record["thread"], record.get("but", ""))
    return Seen(say("printed_in_source", lang, source=record["source"]))


def source_rows(sources: tuple[Source, ...], lang: str) -> list[dict[str, str]]:
    """Sources as rows of text and address ("" for a document)."""
    return [
        {"url": source.url or "", "text": source.title or source_line(source, lang)}
        for source in public_sources(sources)
    ]


def message_of(entry: Pitfall) -> str:
    """The last line of an entry's first example: the message itself; "" of one that is silent."""
    lines = entry.signatures[0].example.strip().splitlines() if entry.signatures else [""]
    return one_line(lines[-1], MAX_CELL_CHARS)


def entry_pages(knowledge: Knowledge) -> Iterator[Page]:
    """The page of each entry, in both languages."""
    evidence = shipped_evidence()
    families: dict[str, list[Family]] = {}
    for family in knowledge.families.values():
        for member in family.members:
            families.setdefault(member, []).append(family)
    for entry in knowledge.pitfalls.values():
        runs, records = runs_of(entry, evidence), read_records(entry)
        for lang in LANGS:
            values = _entry_values(entry, knowledge.pitfalls, records, lang)
            no_runs = "" if runs else no_runs_says(entry, evidence, lang)
            values.update(runs=runs, no_runs=no_runs)
            content = filled("entry", lang, families=families.get(entry.id, []), **values)
            yield Page(f"p/{entry.id}/", lang, _plain_title(entry, lang), _description(entry, lang), content)


def _plain_title(entry: Pitfall, lang: str) -> str:
    return entry.title[lang].replace("`", "")


def _description(entry: Pitfall, lang: str) -> str:
    """What a search engine shows below the title: the message, then the fix."""
    fix = first_sentence(entry.fix[lang])
    return one_line(f"{message_of(entry)} {fix}".strip(), MAX_DESCRIPTION_CHARS)


def _entry_values(
    entry: Pitfall, pitfalls: Mapping[str, Pitfall], records: list[Record], lang: str
) -> dict[str, Any]:
    """What the template of an entry is filled in with, but for runs and families."""
    script = Path(entry.repro).read_text("utf-8") if entry.repro else ""
    wordings = [
        {
            "code": html(code_html(signature.example)),
            "range": signature.releases or "",
            "seen": seen_of(signature, records, entry, lang),
        }
        for signature in entry.signatures
    ]
    return {
        "entry": entry,
        "title": html(inline_html(entry.title[lang])),
        "kind": kind_word(entry.kind, lang),
        "effect": effect_word(entry.effect, lang),
        "wordings": wordings,
        "fix": html(markdown_html(entry.fix[lang], below=2)),
        "cause": html(markdown_html(entry.cause[lang], below=2)),
        "check": html(markdown_html(entry.check[lang], below=2)),
        "script": html(code_html(script, "python")) if script else "",
        "command": html(code_html(f"torchwhy confirm {entry.id}", "sh")),
        "no_repro": html(markdown_html(entry.no_repro[lang])) if entry.no_repro else "",
        "mine": _side(entry, lang),
        "others": [_side(pitfalls[pair.id], lang) for pair in entry.look_alikes],
        "sources": source_rows(entry.sources, lang),
    }


def _side(entry: Pitfall, lang: str) -> dict[str, Any]:
    """One row of the look-alikes."""
    return {
        "id": entry.id,
        "title": html(inline_html(entry.title[lang])),
        "message": message_of(entry),
        "check": html(inline_html(first_sentence(entry.check[lang]))),
    }


def family_pages(knowledge: Knowledge) -> Iterator[Page]:
    """The page of each family, in both languages."""
    for family in knowledge.families.values():
        for lang in LANGS:
            checks = [
                {
                    "ask": html(inline_html(check.ask[lang])),
                    "answers": [
                        {"label": html(inline_html(_label(answer, lang))), "raises": sorted(answer.raises)}
                        for answer in check.answers
                    ],
                }
                for check in family.checks
            ]
            members = [
                {"id": id, "title": html(inline_html(knowledge.pitfalls[id].title[lang]))}
                for id in family.members
            ]
            about = html(markdown_html(family.about[lang]))
            sources = source_rows(family.sources, lang)
            content = filled(
                "family", lang, family=family, about=about, members=members, checks=checks, sources=sources
            )
            description = one_line(family.about[lang], MAX_DESCRIPTION_CHARS)
            yield Page(f"f/{family.id}/", lang, family.title[lang], description, content)


def _label(answer: CheckAnswer, lang: str) -> str:
    if answer.label is not None:
        return answer.label[lang]
    return say({YES: "yes", NO: "no"}[answer.id], lang)
