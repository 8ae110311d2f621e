"""llms.txt: what torchwhy is and where its pages are, for programs that read rather than look."""

from __future__ import annotations

from torchwhy.knowledge.load import Knowledge

HEAD = """# torchwhy

> Why did my PyTorch program fail? Paste an error: the pitfall, the fix, and a proof on your own machine.

Offline. Ask it from a program: `torchwhy --json "RuntimeError: ..."` prints one object; its exit status is 0
where it answered (`match.id` names the entry, `here` the user's line; `match` is null for an error of
Python's own), 1 where nothing fits, 2 where the request was wrong. `torchwhy show ID` prints an entry,
`torchwhy confirm ID` runs its script. Addresses below are relative to this file; entries, symptoms and most
guides stand in Chinese below zh/ as well, the reference and the longer guides are in English only.

"""


def llms_text(knowledge: Knowledge) -> str:
    """The text of llms.txt."""
    parts = [HEAD, "## Guides\n\n"]
    parts += ["- [Guides](guides/)\n", "- [Reference](reference/): commands, settings, Python, JSON\n"]
    parts.append("\n## Symptoms with several causes\n\n")
    parts += [f"- [{family.title.en}](f/{family.id}/)\n" for family in knowledge.families.values()]
    categories = sorted({entry.category for entry in knowledge.pitfalls.values()})
    for category in categories:
        parts.append(f"\n## {category}\n\n")
        parts += [
            f"- [{entry.title.en}](p/{entry.id}/)\n"
            for entry in knowledge.pitfalls.values()
            if entry.category == category
        ]
    return "".join(parts)
