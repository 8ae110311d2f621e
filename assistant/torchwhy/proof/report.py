"""What is meant for others: an entry's script that needs no tool, and a bug report in Markdown without
secrets.
"""

from __future__ import annotations

import platform
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from torchwhy.answers.answer import Answer
from torchwhy.answers.entry_page import source_line
from torchwhy.answers.family_page import members_list
from torchwhy.answers.reasons import error_text, percent
from torchwhy.answers.sections import answer_sections
from torchwhy.answers.telling import teller
from torchwhy.errors import UsageError
from torchwhy.knowledge import recorded_proofs
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.facts import Facts, report_names
from torchwhy.knowledge.files import read_script
from torchwhy.knowledge.site import page_of_entry, page_of_family
from torchwhy.knowledge.vocabulary import canonical, is_shown_package, shown
from torchwhy.machine import linux
from torchwhy.runtime import locations
from torchwhy.text.exits import told_to_others
from torchwhy.text.markup import fence, span
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import written_out
from torchwhy.version import __version__

from .confirmation import Confirmation

if TYPE_CHECKING:
    from torchwhy.machine.torch_probe import Probe


MAX_MESSAGE_CHARS = 1500  # of this machine's message
MAX_TITLE_CHARS = 120
SYSTEM = (
    ("platform.release", "system"),
    ("platform.libc", "C library"),
    ("cpu.model", "CPU"),
    ("cpu.vectors", "its vector instructions"),
)


def standalone(entry: Pitfall, lang: str) -> str:
    """The entry's script with a header that says what it is and how to run it. Raises UsageError where there
    is none.
    """
    if entry.repro is None:
        assert entry.no_repro
        raise UsageError(f"{entry.id} has no script: {entry.no_repro[lang]}")
    good = [run for run in recorded_proofs.runs(entry) if run.verdict in recorded_proofs.GOOD]
    seen = dict.fromkeys(f"torch {run.torch} on {run.device}" for run in good)
    wants = ", ".join(("torch", *entry.needs.packages))
    outcome = "rep_fails" if entry.kind == "error" else "rep_shows"
    lines = [
        entry.title[lang],
        "",
        phrase("rep_seen", lang, where="; ".join(seen)) if seen else phrase("rep_unseen", lang),
        phrase("rep_run", lang, packages=wants),
        f"    python repro.py           {phrase(outcome, lang)}",
        f"    python repro.py --fixed   {phrase('rep_fixed', lang)}",
        "",
        f"torchwhy {__version__}, {entry.id}",
    ]
    return "".join(f"# {line}".rstrip() + "\n" for line in lines) + "\n" + read_script(entry.repro)


def report(answer: Answer, probe: Probe, result: Confirmation | None, *, full: bool = False) -> str:
    """A bug report: the error, the diagnosis, the verdict where there is one, the environment; without
    secrets, and of the error's words only those that `teller` tells, or all where `full`.
    """
    lang, tell = answer.lang, teller(answer, full=full)
    root = answer.root
    name = (
        (f"{root.exception}: " if root.exception else "") + next(iter(root.message.splitlines()), "")
        if root
        else answer.paste.text.strip()
    )
    parts = [
        f"# {span(tell(name), MAX_TITLE_CHARS)}",
        f"## {phrase('rep_error' if root else 'rep_words', lang)}",
        fence(error_text(answer, tell)),
    ]
    parts += [
        f"## {phrase('rep_diagnosis', lang)}",
        *diagnosis(answer),
    ]
    if answer.match is not None or result is not None:  # without an entry there is no script to run
        parts += [f"## {phrase('rep_verdict', lang)}", verdict(result, lang)]
    theirs = answer.facts if answer.facts is not None and answer.facts.origin == "report" else None
    parts += [
        f"## {phrase('rep_environment', lang)}",
        fence(tell(facts_text(theirs)) if theirs else environment_text(probe)),
    ]
    left = phrase("rep_full" if full else "rep_redacted", lang)
    last = [f"---\n{left} (torchwhy {__version__})"]
    if answer.match is not None and (script := _script_text(answer.match.pitfall)):
        said = phrase("rep_script", lang, id=answer.match.id)
        last.insert(
            0,
            f"<details>\n<summary>{said.replace('`', '')}</summary>\n\n"
            f"{fence(script, 'python')}\n\n</details>",
        )
    return "\n\n".join([told_to_others("\n\n".join(parts), None), *last]) + "\n"


def _script_text(entry: Pitfall) -> str:
    """The entry's script, whole: who reads the report may not have this tool. "" without one, where it cannot
    be read, and where that of a foreign base is a link, which can lead to any file of the user's.
    """
    if entry.repro is None:
        return ""
    script = Path(entry.repro)
    if script.is_symlink() and not script.is_relative_to(locations.shipped("kb")):
        return ""
    with suppress(UsageError):  # a report without its script is one
        return told_to_others(written_out(read_script(entry.repro)), None)
    return ""


def diagnosis(answer: Answer) -> list[str]:
    lang = answer.lang
    if answer.family is not None:
        sure = percent(answer.family.probability)
        head = f"**{answer.family.id}** ({sure}): {answer.family.family.title[lang]}"
        page = page_of_family(answer.family.family, lang)
        link = [f"- {phrase('page', lang)}: {page}"] if page else []
        return [head, members_list(answer.family, lang), *link]
    if answer.likely:
        return [section.markdown for section in answer_sections(answer)]
    if answer.match is None:
        return [phrase("rep_none", lang)]
    entry = answer.match.pitfall
    parts = [
        f"**{entry.id}** ({percent(answer.match.probability)}): {entry.title[lang]}",
        entry.cause[lang].strip(),
    ]
    if answer.rival is not None:
        rival = answer.rival
        named = f"**{rival.id}** ({percent(rival.probability)}): {rival.pitfall.title[lang]}"
        parts.append(f"{phrase('rep_maybe', lang)}: {named}")
    links = [
        f"- {source_line(source, lang)}" for source in entry.sources if source.url
    ]  # the documents are not everybody's
    page = page_of_entry(entry, lang)
    links += [f"- {phrase('page', lang)}: {page}"] if page else []
    return [*parts, *(["\n".join(links)] if links else [])]


def verdict(result: Confirmation | None, lang: str) -> str:
    if result is None:
        return phrase("rep_unrun", lang)
    parts = [phrase(result.verdict, lang)]
    if result.reason:
        parts.append(span(result.reason))
    if result.message:
        parts.append(
            f"{phrase('printed', lang)}:\n\n{fence(told_to_others(result.message, None)[:MAX_MESSAGE_CHARS])}"
        )
    return "\n\n".join(parts)


def facts_text(facts: Facts) -> str:
    """The environment of the pasted report of torch.utils.collect_env: it is the one that failed."""
    return "\n".join(
        f"{name}: {shown(name, facts.get(name).value)}"
        for name in report_names(facts)
        if facts.get(name).known
    )


def environment_text(probe: Probe) -> str:
    """The environment as its own Python told it, without paths."""
    from torchwhy.machine.gpus import read

    driver = read()
    system = {**linux.release(Path("/")), **linux.processor(Path("/"))}
    packages = {canonical(f"package.{name}").removeprefix("package."): name for name in probe.packages}
    listed = [
        f"{name}=={probe.packages[packages[name]]}"
        for name in sorted(packages)
        if is_shown_package(name) and name != "torch"
    ]
    rows = [
        ("torch", probe.torch or f"cannot be imported: {probe.torch_error}"),
        ("CUDA of that build", probe.cuda or "none"),
        ("Python", probe.python),
        ("GPU", ", ".join(gpu.name for gpu in driver.gpus) or probe.device or "none"),
        ("driver", driver.version or "none"),
        ("platform", f"{platform.system()} {platform.release()} {platform.machine()}"),
        *((label, str(value)) for name, label in SYSTEM if (value := system[name].value)),
        ("packages", " ".join(listed) or "none of note"),
    ]
    return "\n".join(f"{name}: {value}" for name, value in rows)
