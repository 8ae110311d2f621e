"""A family of entries as sections: what it may be, and what tells its members apart."""

from __future__ import annotations

from torchwhy.knowledge.family import NO, YES, Check, CheckAnswer
from torchwhy.knowledge.site import page_of_family
from torchwhy.text.phrases import phrase

from .answer import Answer, FamilyMatch, Section
from .entry_page import page_section, source_line
from .reasons import fact_lines, percent

MAX_SHOWN_MEMBERS = 5


def family_sections(answer: Answer, family: FamilyMatch, *, brief: bool) -> tuple[Section, ...]:
    """What it may be, in the order of this text's evidence, and the checks; `brief`: without sources."""
    lang = answer.lang
    sure = phrase("family_sure", lang, percent=percent(family.probability))
    head = [f"**{family.id}** · {phrase('family', lang)} · {sure}", family.family.about[lang]]
    result = [
        Section("title", family.family.title[lang], "\n\n".join(head)),
        Section("members", phrase("family_members", lang), members_list(family, lang)),
    ]
    if family.checks:
        checks = "\n\n".join(
            f"{number}. {check_text(check, lang, family)}" for number, check in enumerate(family.checks, 1)
        )
        result.append(Section("checks", phrase("family_checks", lang), checks))
    page = page_of_family(family.family, lang)
    if brief:
        result += [page_section(page, lang, "")] if page else []
    else:
        lines = [f"- {source_line(source, lang)}" for source in family.family.sources]
        lines += [f"- {phrase('page', lang)}: {page}"] if page else []
        result.append(Section("sources", phrase("sources", lang), "\n".join(lines)))
    return tuple(result)


def members_list(family: FamilyMatch, lang: str) -> str:
    """The first members, and what the facts of the machine say of each."""
    items = []
    for number, match in enumerate(family.members[:MAX_SHOWN_MEMBERS], 1):
        told = [
            *fact_lines(match, lang),
            *(each.said[lang] for each in match.why if each.kind == "code" and each.said),
        ]
        facts = "".join(f"\n   {line}" for line in told)
        items.append(
            f"{number}. **{match.id}** ({percent(match.probability)}): {match.pitfall.title[lang]}{facts}"
        )
    return "\n\n".join(items)


def check_text(check: Check, lang: str, family: FamilyMatch) -> str:
    """A check with its answers, each with the members that it speaks for, best first."""
    order = {match.id: number for number, match in enumerate(family.members)}
    lines = [check.ask[lang]]
    for answer in check.answers:
        raised = sorted(answer.raises, key=lambda id: order.get(id, len(order)))[:MAX_SHOWN_MEMBERS]
        speaks = ", ".join(f"`{id}`" for id in raised) or phrase("family_nothing", lang)
        lines.append(f"   - {answer_label(answer, lang)}: {speaks}")
    return "\n".join(lines)


def answer_label(answer: CheckAnswer, lang: str) -> str:
    """What an answer says, in a few words."""
    if answer.label is not None:
        return answer.label[lang]
    return phrase({YES: "yes", NO: "no"}[answer.id], lang)
