"""An answer as sections. Whoever shows it draws them; the Markdown page is their join (`answers.markdown`).

Whatever comes from a paste stands in code spans or fences whose content cannot close them; it was stripped of
control characters when it was parsed.
"""

from __future__ import annotations

from torchwhy.knowledge.site import page_of_entry
from torchwhy.text.markup import span
from torchwhy.text.phrases import phrase
from torchwhy.text.width import LEAST_SIGHT, first_sentence

from .answer import FIELDS, Answer, Match, Section
from .entry_page import effect_word, page_section, proof_section, sources_section
from .family_page import family_sections
from .in_code import found_says
from .own_error import PythonError
from .own_hints import own_hints
from .reasons import closest_line, fact_lines, percent, reasons, whose_facts
from .unknown_page import help_sections, unknown_words

MIN_ALIKE_PROBABILITY = 0.01  # of a further candidate that is named
MAX_NEAREST = 2  # candidates that are named where nothing fits


def answer_sections(answer: Answer, *, brief: bool = False) -> tuple[Section, ...]:
    """The whole answer; `brief`: without what speaks for it and without sources."""
    if answer.family is not None:
        return family_sections(answer, answer.family, brief=brief)
    if answer.likely:
        return _likely(answer)
    if answer.match is None:
        return _unknown(answer)
    lang, match, entry = answer.lang, answer.match, answer.match.pitfall
    result = [_title(answer, match)]
    explanations = match.says.get(lang, ())
    if explanations:
        lines = "\n".join(f"- {line}" for line in explanations)
        result.append(Section("says", phrase("says", lang), lines, entry.id))
    for name, field in FIELDS.items():
        lead = closest_line(match, lang) if name == "why" else ""
        body = "\n\n".join(filter(None, (lead, getattr(entry, field)[lang].rstrip())))
        result.append(Section(name, phrase(name, lang), body, entry.id))
    if answer.rival:
        result.append(_rival(answer.rival, lang))
    if brief:
        page = page_of_entry(entry, lang)
        result += [page_section(page, lang, entry.id)] if page else []
    else:
        result += [_evidence(answer, match), sources_section(entry, lang)]
    return (*result, proof_section(entry, lang))


def _title(answer: Answer, match: Match) -> Section:
    """The entry's title; below it how sure, the line that was recognised, and the errors that only carry
    it.
    """
    lang, entry = answer.lang, match.pitfall
    sure = phrase("sure", lang, percent=percent(match.probability))
    if not answer.calibrated:
        sure += f" ({phrase('uncalibrated', lang)})"
    parts = [f"**{entry.id}** · {effect_word(entry.effect, lang)} · {sure}"]
    recognised = match.claimed
    if answer.root is not None and recognised is not None:
        parts.append(f"> {span(recognised)}")
    found = found_says(answer, match)
    parts += [f"> {found}"] if found else []
    parts += ["> " + phrase("wrapper", lang, name=wrapper.name) for wrapper in answer.wrappers]
    return Section("title", entry.title[lang], "\n\n".join(parts), entry.id)


def _rival(rival: Match, lang: str) -> Section:
    """The candidate that the text cannot tell from the first, and how to tell it."""
    entry = rival.pitfall
    sure = phrase("sure", lang, percent=percent(rival.probability))
    parts = [f"**{entry.id}** · {sure}", entry.check[lang].rstrip(), "\n".join(fact_lines(rival, lang))]
    title = f"{phrase('rival', lang)}: {entry.title[lang]}"
    return Section("rival", title, "\n\n".join(part for part in parts if part), entry.id)


def _evidence(answer: Answer, match: Match) -> Section:
    """What speaks for the match, whose facts were looked at, and the next candidates."""
    lang = answer.lang
    parts = ["\n".join(f"- {line}" for line in reasons(match, lang))]
    if answer.facts is not None:
        silent = "" if fact_lines(match, lang) else f"; {phrase('facts_silent', lang)}"
        parts.append(f"{phrase('facts_whose', lang)}: {whose_facts(answer.facts, lang)}{silent}")
    others = [
        f"{other.id} ({percent(other.probability)})"
        for other in list(answer.candidates)[1:3]
        if other.probability >= MIN_ALIKE_PROBABILITY
        and (answer.rival is None or other.id != answer.rival.id)
    ]
    if others:
        parts.append(f"{phrase('alike', lang)}: " + "; ".join(others))
    return Section("for", phrase("for", lang), "\n\n".join(parts), match.id)


def _likely(answer: Answer) -> tuple[Section, ...]:
    """The likely entries, each with what tells whether it is the cause."""
    lang = answer.lang
    sure = phrase("sure", lang, percent=percent(sum(each.probability for each in answer.likely)))
    items = "\n\n".join(_near_item(each, lang) for each in answer.likely)
    title = Section("title", phrase("listed", lang), sure)
    return title, Section("members", phrase("family_members", lang), items)


def _near_item(match: Match, lang: str) -> str:
    """A candidate with how to tell it, and what the facts of the machine say of it."""
    entry = match.pitfall
    check = first_sentence(entry.check[lang], LEAST_SIGHT)
    lines = [f"- **{entry.id}** ({percent(match.probability)}): {entry.title[lang]}"]
    lines += [f"  {phrase('tell', lang)}: {check}"] if check else []
    lines += [f"  {line}" for line in fact_lines(match, lang)]
    return "\n".join(lines)


def _unknown(answer: Answer) -> tuple[Section, ...]:
    """That nothing fits, the error that was read, and the nearest entries with how to tell them."""
    lang = answer.lang
    if answer.facts is not None and answer.facts.origin == "report" and not answer.paste.text.strip():
        whose = f"{phrase('facts_whose', lang)}: {whose_facts(answer.facts, lang)}"
        return (Section("title", phrase("report_alone", lang), whose),)
    own = answer.python_error
    if own is not None:
        return _own_error(answer, own)
    heading = unknown_words(answer)
    body = ""
    root = answer.root
    if root is not None:
        text = f"{root.exception}: {root.message}" if root.exception else root.message
        body = f"{phrase('unknown_error', lang)}: {span(text)}"
    elif not answer.candidates:
        body = phrase("nothing", lang)
    items = [
        _near_item(item, lang)
        for item in list(answer.candidates)[:MAX_NEAREST]
        if item.probability >= MIN_ALIKE_PROBABILITY  # at 0 % nothing is near
    ]
    nearest = (Section("nearest", phrase("nearest", lang), "\n\n".join(items)),) if items else ()
    return (Section("title", heading, body), *nearest, *help_sections(answer))


def _own_error(answer: Answer, own: PythonError) -> tuple[Section, ...]:
    """That the error is Python's own, what it means, and what is near to the name that it misses."""
    lang = answer.lang
    text = f"{own.exception}: {own.message}" if own.message else own.exception
    parts = [f"{phrase('unknown_error', lang)}: {span(text)}", *own_hints(answer, own)]
    if own.near:
        parts.append(phrase("own_near", lang, names=", ".join(span(name) for name in own.near)))
    heading = phrase("own_raised" if own.raised else "own", lang)
    return (Section("title", heading, "\n\n".join(part for part in parts if part)),)
