"""Pages of entries and families: the message in full, the fix first, what the script printed where."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from torchwhy.authoring.example_records import read_records
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.load import Knowledge
from torchwhy.knowledge.recorded_proofs import SAYS_NOTHING, ProofFile, files, release_key, shipped_folder
from torchwhy.knowledge.script_hashes import file_hash
from torchwhy.text.markup import one_line
from torchwhy.text.width import first_sentence

from .pages import LANGS, Page, page, say

MAX_CHARS = 240  # of a message in a list, and of a page's description


def shipped_evidence() -> list[ProofFile]:
    """Every recorded file, the newest release first."""
    found = [data for _, data in files(shipped_folder())]
    return sorted(found, key=lambda data: release_key(data["torch"]), reverse=True)


def runs_of(entry: Pitfall, evidence: list[ProofFile]) -> list[dict[str, Any]]:
    """The recorded runs of the entry's script as it is now that say something, the newest release first."""
    if entry.repro is None:
        return []
    present = file_hash(entry.repro)
    rows = [(data, data["entries"].get(entry.id)) for data in evidence]
    return [
        {**row, "torch": str(data["torch"]), "device": data["device"]}
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
    return one_line(lines[-1], MAX_CHARS)


def entry_pages(knowledge: Knowledge) -> Iterator[Page]:
    """The page of each entry, in both languages."""
    evidence = shipped_evidence()
    for entry in knowledge.pitfalls.values():
        runs, records = runs_of(entry, evidence), read_records(entry)
        values = {
            "entry": entry,
            "alike": [entry, *(knowledge.pitfalls[pair.id] for pair in entry.look_alikes)],
            "families": [family for family in knowledge.families.values() if entry.id in family.members],
            "script": Path(entry.repro).read_text("utf-8") if entry.repro else "",
            "runs": runs,
            "message_of": message_of,
            "records": {one["example"].strip(): one for one in reversed(records) if "example" in one},
        }
        for lang in LANGS:
            values["no_runs"] = "" if runs else no_runs_says(entry, evidence, lang)
            # what a search engine shows below the title: the message, then the fix
            about = f"{message_of(entry)} {first_sentence(entry.fix[lang])}".strip()
            title = entry.title[lang].replace("`", "")
            yield page("entry", f"p/{entry.id}.md", lang, title, one_line(about, MAX_CHARS), **values)


def family_pages(knowledge: Knowledge) -> Iterator[Page]:
    """The page of each family, in both languages."""
    for family in knowledge.families.values():
        for lang in LANGS:
            title, about = family.title[lang], one_line(family.about[lang], MAX_CHARS)
            values = {"family": family, "pitfalls": knowledge.pitfalls}
            yield page("family", f"f/{family.id}.md", lang, title, about, **values)
