"""What an agent is told: few characters first, sections when it asks for them. No SDK here.

An agent's context is money: a diagnosis takes at most 700 tokens (a test counts them), so every part of it is
bounded in characters. What an agent reads leaves the machine: of a file's text it is told what others may be
(`torchwhy.answers.telling`), of a text that it gave itself all but secrets.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from torchwhy.answers.answer import Answer, Section
from torchwhy.answers.candidates import candidate_line, candidates
from torchwhy.answers.entry_page import entry_sections
from torchwhy.answers.markdown import page
from torchwhy.answers.reasons import percent, reasons
from torchwhy.answers.screen_lines import screen_lines
from torchwhy.answers.sections import answer_sections
from torchwhy.answers.telling import Tell, teller
from torchwhy.errors import UsageError
from torchwhy.knowledge.site import page_of_entry
from torchwhy.runtime.plain_files import open_plain
from torchwhy.text.exits import told_to_others
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import escaped
from torchwhy.text.width import shortened

if TYPE_CHECKING:
    from torchwhy.api import Assistant
    from torchwhy.knowledge.facts import Facts
    from torchwhy.proof.confirmation import Confirmation

Part = Literal["says", "why", "fix", "check", "evidence", "sources", "all"]
SCREEN_COLUMNS = 100
MAX_EVIDENCE, MAX_OTHERS = 3, 2  # lines, further candidates
MIN_OTHER_PROBABILITY = 0.01
MAX_LINE_COLUMNS = 160  # of what speaks for a diagnosis
MAX_PAGE_CHARS = 12_000  # of the sections that one call returns
MAX_FOUND = 8  # entries that a search names
MAX_FINDINGS = 15  # of a check of source files
MAX_LEFT_OUT = 5  # files that were not checked, which are named
MAX_TEXT_CHARS = 1 << 20  # of a text that is given in a call; a longer log is given as a file
SHOWN_FIRST: tuple[Part, ...] = ("why", "fix")  # of an entry, where nothing else is asked for
KINDS: dict[str, frozenset[str]] = {
    "says": frozenset(["says"]),
    "why": frozenset(["why", "members", "nearest"]),
    "fix": frozenset(["fix", "onward"]),
    "check": frozenset(["check", "checks", "rival", "alike"]),
    "evidence": frozenset(["for", "wordings"]),
    "sources": frozenset(["sources"]),
}


def secretless(text: str) -> str:
    """A text in which nothing is of a program's output, but for secrets and this user's name."""
    return told_to_others(text, None)


def text_of(text: str, file: str) -> str:
    """The text that a call gives, or that of the file which it names; a large file's digest.

    Raises UsageError where it gives both or none, and for what is no regular file: a pipe would never end.
    """
    from torchwhy.paste.reading import read_text

    if bool(text.strip()) == bool(file):
        raise UsageError("nothing was given to look for, or both a text and a file")
    if not file:
        if len(text) > MAX_TEXT_CHARS:
            raise UsageError(f"the text is longer than {MAX_TEXT_CHARS} characters: name its file instead")
        return text
    path = os.path.expanduser(file)
    try:
        with open_plain(path) as opened:
            found = read_text(opened)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no path"
        raise UsageError(f"{escaped(file)}: cannot be read ({reason})") from error
    if not found.strip():
        raise UsageError(f"{escaped(file)}: the file is empty")
    return found


def diagnosis(answer: Answer, sections: Sequence[Part] = (), *, full: bool = False) -> str:
    """The first screen with what speaks for it; with `sections` those parts of the whole page instead.

    `full`: the agent has the answered text already, or may.
    """
    tell = teller(answer, full=full)
    if sections:
        return _bounded(page(_chosen(answer_sections(answer), sections)), answer.lang, tell)
    lang = answer.lang
    lines = [line.text for line in screen_lines(answer, SCREEN_COLUMNS, clean=tell)]
    if answer.match is not None:
        told = [tell(line) for line in reasons(answer.match, lang)[:MAX_EVIDENCE]]
        lines.append("")
        lines += [f"{phrase('agent_evidence', lang)}: {shortened(line, MAX_LINE_COLUMNS)}" for line in told]
        others = [
            f"{each.id} ({percent(each.probability)})"
            for each in answer.candidates[1 : MAX_OTHERS + 1]
            if each.probability >= MIN_OTHER_PROBABILITY
        ]
        lines += [f"{phrase('agent_others', lang)}: {', '.join(others)}"] if others else []
    kinds = {section.kind for section in answer_sections(answer)}
    more = [part for part, names in KINDS.items() if names & kinds]
    lines += [f"{phrase('agent_more', lang)} {', '.join(more)}"] if more else []
    return "\n".join(lines) + "\n"


def entry(assistant: Assistant, id: str, lang: str, sections: Sequence[Part] = SHOWN_FIRST) -> str:
    """Parts of an entry, under its title. Raises UsageError for an unknown id."""
    pitfall = assistant.pitfall(id)
    told = page(_chosen(entry_sections(pitfall, lang), sections))
    address = page_of_entry(pitfall, lang)
    if address and address not in told:
        told += f"\n{phrase('page', lang)}: {address}\n"
    return _bounded(told, lang)


def found(answer: Answer) -> str:
    """The entries that are nearest to a search's words, best first."""
    lang = answer.lang
    lines = [f"- {each.id}: {each.pitfall.title[lang]}" for each in answer.candidates[:MAX_FOUND]]
    if not lines:
        return phrase("agent_none", lang) + "\n"
    return secretless("\n".join([f"{phrase('agent_found', lang)}:", *lines])) + "\n"


def listed(answer: Answer) -> str:
    """The best candidates, for an agent that judges itself: id, title, cause, what decides."""
    lines = [f"- {each.id}: {candidate_line(each, answer.lang)}" for each in candidates(answer)]
    if not lines:
        return phrase("agent_none", answer.lang) + "\n"
    return secretless("\n".join(lines)) + "\n"


def checked(paths: Sequence[str], strict: bool, lang: str) -> str:
    """What the rules report of these files, two lines a finding, and what was left out. Raises UsageError
    for a missing path, and where nothing there is Python.
    """
    from torchwhy.lint.api import load_rules, wanted
    from torchwhy.lint.check import check_sources
    from torchwhy.lint.settings import read_settings
    from torchwhy.lint.sources import collect

    settings = read_settings(Path.cwd())
    sources = [] if "-" in paths else collect(paths, settings.exclude)
    if not sources:
        raise UsageError("no Python source: name files or folders that hold some")
    left_out: list[str] = []
    findings = wanted(check_sources(sources, load_rules({}), say=left_out.append), settings, strict)
    lines = []
    for each in findings[:MAX_FINDINGS]:
        lines.append(f"{escaped(each.path)}:{each.line}: {each.sure}: {each.message[lang]} [{each.id}]")
        lines.append(f"    {each.fix[lang]}")
    left = len(findings) - MAX_FINDINGS
    lines += [phrase("agent_findings_left", lang, count=str(left))] if left > 0 else []
    lines = lines or [phrase("agent_no_finding", lang)]
    return secretless("\n".join([*lines, *left_out[:MAX_LEFT_OUT]])) + "\n"


def machine(facts: Facts, lang: str) -> str:
    """Every fact that is known, a line each, and the names of those that are not."""
    from torchwhy.answers.reasons import whose_facts
    from torchwhy.knowledge.facts import report_names
    from torchwhy.knowledge.vocabulary import shown

    names = report_names(facts)
    lines = [f"{name} = {shown(name, facts.get(name).value)}" for name in names if facts.get(name).known]
    unknown = [name for name in names if not facts.get(name).known]
    lines += [f"? {', '.join(unknown)}"] if unknown else []
    return secretless("\n".join([whose_facts(facts, lang), *lines])) + "\n"


def proof(assistant: Assistant, result: Confirmation, lang: str) -> str:
    """What the proof showed, as `torchwhy confirm` prints it."""
    from torchwhy.proof.verdict import confirmation_markdown

    told = confirmation_markdown(result, assistant.pitfall(result.id), lang)
    return f"verdict: {result.verdict}\n\n{_bounded(told, lang)}"


def _chosen(sections: Iterable[Section], parts: Sequence[Part]) -> list[Section]:
    """The title and the sections of those parts; every section for "all"."""
    if "all" in parts:
        return list(sections)
    wanted = {"title"}.union(*(KINDS[part] for part in parts))
    return [section for section in sections if section.kind in wanted]


def _bounded(text: str, lang: str, tell: Tell = secretless) -> str:
    """The text as it is told, cut where it is longer than a call may return."""
    text = tell(text)
    over = len(text) - MAX_PAGE_CHARS
    return (
        text
        if over <= 0
        else text[:MAX_PAGE_CHARS] + "\n" + phrase("agent_cut", lang, count=str(over)) + "\n"
    )
