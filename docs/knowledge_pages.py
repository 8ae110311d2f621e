"""Pages of entries and families: the message in full, the fix first, what the script printed where."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from torchwhy.answers.family_page import answer_label
from torchwhy.authoring.example_records import read_records
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.family import Family
from torchwhy.knowledge.load import Knowledge
from torchwhy.knowledge.recorded_proofs import SAYS_NOTHING, ProofFile, files, release_key, shipped_folder
from torchwhy.knowledge.script_hashes import file_hash
from torchwhy.text.markup import one_line
from torchwhy.text.width import first_sentence

from .phrases import say
from .render import LANGS, Page, filled

MAX_CELL_CHARS = 240  # of a message in a table
MAX_DESCRIPTION_CHARS = 200


def shipped_evidence() -> list[ProofFile]:
    """Every recorded file, the newest release first."""
    found = [data for _, data in files(shipped_folder())]
    return sorted(found, key=lambda data: release_key(data["torch"]), reverse=True)


def runs_of(entry: Pitfall, evidence: list[ProofFile]) -> list[dict[str, str]]:
    """The recorded runs of the entry's script as it is now that say something, the newest release first."""
    if entry.repro is None:
        return []
    present = file_hash(entry.repro)
    rows = [(data, data["entries"].get(entry.id)) for data in evidence]
    return [
        {
            "torch": str(data["torch"]),
            "device": data["device"],
            "verdict": row["verdict"],
            "message": one_line(row["message"], MAX_CELL_CHARS),
            "date": row["date"],
        }
        for data, row in rows
        if row and row["sha256"] == present and row["verdict"] not in SAYS_NOTHING
    ]


def no_runs_says(entry: Pitfall, evidence: list[ProofFile], lang: str) -> str:
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
        values = {
            "entry": entry,
            "alike": [entry, *(knowledge.pitfalls[pair.id] for pair in entry.look_alikes)],
            "families": families.get(entry.id, []),
            "script": Path(entry.repro).read_text("utf-8") if entry.repro else "",
            "runs": runs,
            "message_of": message_of,
            "records": {one["example"].strip(): one for one in reversed(records) if "example" in one},
        }
        for lang in LANGS:
            no_runs = "" if runs else no_runs_says(entry, evidence, lang)
            content = filled("entry", lang, **values, no_runs=no_runs)
            title = entry.title[lang].replace("`", "")
            yield Page(f"p/{entry.id}/", lang, title, _description(entry, lang), content)


def _description(entry: Pitfall, lang: str) -> str:
    """What a search engine shows below the title: the message, then the fix."""
    fix = first_sentence(entry.fix[lang])
    return one_line(f"{message_of(entry)} {fix}".strip(), MAX_DESCRIPTION_CHARS)


def family_pages(knowledge: Knowledge) -> Iterator[Page]:
    """The page of each family, in both languages."""
    for family in knowledge.families.values():
        for lang in LANGS:
            content = filled("family", lang, family=family, pitfalls=knowledge.pitfalls, label=answer_label)
            description = one_line(family.about[lang], MAX_DESCRIPTION_CHARS)
            yield Page(f"f/{family.id}/", lang, family.title[lang], description, content)
