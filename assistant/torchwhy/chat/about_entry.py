"""What follow-ups say of the entry at hand: its own passages, each with its source.

One function an intent; they are asked where an entry is at hand (but for `line`).
"""

from __future__ import annotations

from torchwhy.answers.answer import Answer, Section
from torchwhy.answers.entry_page import proof_section, sources_section
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.files import read_script
from torchwhy.text.markup import fence
from torchwhy.text.phrases import phrase

from . import sections
from .about_others import others_section
from .sections import note
from .thread import Thread


def why(thread: Thread, lang: str, about: str) -> Answer:
    return thread.reply("why", lang, [sections.field_section(thread.entry, "why", lang)])


def fix(thread: Thread, lang: str, about: str) -> Answer:
    """The change with the numbers of the user's own message, where it follows; then the entry's fix."""
    parts = [sections.field_section(thread.entry, "fix", lang)]
    return thread.reply("fix", lang, [*sections.own_change(thread.topic, thread.at_hand, lang), *parts])


def check(thread: Thread, lang: str, about: str) -> Answer:
    return thread.reply("check", lang, [sections.field_section(thread.entry, "check", lang)])


def code(thread: Thread, lang: str, about: str) -> Answer:
    """The code of the fix; the script where the fix has none."""
    entry = thread.entry
    code_blocks = sections.code_blocks(entry.fix[lang])
    if not code_blocks:
        return _script(thread, entry, "code", lang, note("say_no_code", lang, id=entry.id))
    body = "\n\n".join([*code_blocks, sections.origin(entry, "fix", lang)])
    return thread.reply("code", lang, [Section("code", phrase("say_code", lang), body, entry.id)])


def repro(thread: Thread, lang: str, about: str) -> Answer:
    return _script(thread, thread.entry, "repro", lang)


def _script(thread: Thread, entry: Pitfall, intent: str, lang: str, *intro: Section) -> Answer:
    if entry.repro is None:
        reason = entry.no_repro[lang] if entry.no_repro else ""
        section = Section("noproof", phrase("noproof", lang), reason, entry.id)
        return thread.reply(intent, lang, [section], found=False)
    source = fence(read_script(entry.repro), "python")
    return thread.reply(intent, lang, [*intro, Section("repro", phrase("say_repro", lang), source, entry.id)])


def prove(thread: Thread, lang: str, about: str) -> Answer:
    """How to run the entry's script; whoever shows the reply may run it (`Reply.action`)."""
    entry = thread.entry
    if entry.no_repro is not None:
        return thread.reply("prove", lang, [proof_section(entry, lang)], found=False)
    body = f"{phrase('say_prove', lang)}\n\n{fence(f'torchwhy confirm {entry.id}', 'sh')}"
    section = Section("prove", phrase("prove", lang), body, entry.id)
    return thread.reply("prove", lang, [section], action="confirm")


def meaning(thread: Thread, lang: str, about: str) -> Answer:
    """What the numbers in the message mean."""
    entry = thread.entry
    explanations = thread.at_hand.says.get(lang, ())
    if not explanations:
        cause = sections.field_section(entry, "why", lang)
        return thread.reply("meaning", lang, [note("say_no_numbers", lang), cause])
    body = "\n".join(f"- {line}" for line in explanations)
    body += f"\n\n{sections.origin(entry, 'says', lang)}"
    return thread.reply("meaning", lang, [Section("says", phrase("says", lang), body, entry.id)])


def sure(thread: Thread, lang: str, about: str) -> Answer:
    """How sure the diagnosis is, what speaks for it, and how to check it."""
    if thread.topic is None or not thread.at_hand.why:
        return thread.unsettled("sure", lang)
    parts = [
        sections.reasons_section(thread.at_hand, thread.topic, lang),
        sections.field_section(thread.entry, "check", lang),
    ]
    return thread.reply("sure", lang, parts)


def source(thread: Thread, lang: str, about: str) -> Answer:
    entry = thread.entry
    return thread.reply("source", lang, [sources_section(entry, lang)])


def short(thread: Thread, lang: str, about: str) -> Answer:
    """The title and the first thing to do."""
    entry = thread.entry
    first_fix = sections.blocks(entry.fix[lang])[0]
    body = f"**{entry.title[lang]}**\n\n{first_fix}\n\n{sections.origin(entry, 'fix', lang)}"
    return thread.reply("short", lang, [Section("short", phrase("say_short", lang), body, entry.id)])


def simple(thread: Thread, lang: str, about: str) -> Answer:
    """For somebody who is new: what it is, what it does, the first paragraph of why and of the fix."""
    entry = thread.entry
    effect = f"**{entry.title[lang]}**\n\n{phrase(f'effect_{entry.effect}', lang)}"
    parts = [Section("short", phrase("say_short", lang), effect, entry.id)]
    for field, text in (("why", entry.cause), ("fix", entry.fix)):
        body = f"{sections.blocks(text[lang])[0]}\n\n{sections.origin(entry, field, lang)}"
        parts.append(Section(field, phrase(field, lang), body, entry.id))
    return thread.reply("simple", lang, parts)


def line(thread: Thread, lang: str, about: str) -> Answer:
    """The user's own line that failed."""
    section = sections.failing_line(thread.topic, lang) if thread.topic else None
    if section is None:
        return thread.reply("line", lang, [note("say_no_line", lang)], found=False)
    return thread.reply("line", lang, [section])


def failed(thread: Thread, lang: str, about: str) -> Answer:
    """The first fix did not help: the entry's other ones, how to check it, and what else it could be."""
    entry = thread.entry
    parts = []
    more_fixes = sections.blocks(entry.fix[lang])[1:]
    if more_fixes:
        body = "\n\n".join([*more_fixes, sections.origin(entry, "fix", lang)])
        parts.append(Section("fix", phrase("say_more_fixes", lang), body, entry.id))
    parts.append(sections.field_section(entry, "check", lang))
    return thread.reply("failed", lang, [*parts, *others_section(thread, lang)])
