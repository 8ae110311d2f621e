"""What bears on the entry at hand: how serious it is, which releases show it, what this machine's facts say.

All of it is on record: the entry's `effect`, `needs` and `releases`, the evidence of runs, the facts. Nothing
is inferred. One function an intent.
"""

from __future__ import annotations

from torchwhy.answers.answer import Answer, Section
from torchwhy.answers.reasons import fact_lines, whose_facts
from torchwhy.knowledge import recorded_proofs
from torchwhy.knowledge.conditions import comparisons
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.facts import Facts
from torchwhy.knowledge.vocabulary import is_fact, shown
from torchwhy.text.markup import quoted, span
from torchwhy.text.phrases import phrase

from . import sections
from .sections import note
from .thread import Thread

MAX_EXAMPLE_CHARS = 160
# What a reader wants to know of a machine first; the facts that the entry asks for come before them.
FIRST_FACTS = (
    "gpu.count",
    "gpu.name",
    "gpu.memory_free",
    "gpu.memory_total",
    "driver.version",
    "driver.cuda",
    "torch.version",
    "torch.cuda",
    "python.version",
    "ram.free",
    "shm.free",
    "cpu.cores",
)


def serious(thread: Thread, lang: str, about: str) -> Answer:
    """Whether it matters: what the entry says it does, and why."""
    entry = thread.entry
    effect = phrase(f"effect_{entry.effect}", lang)
    if entry.kind == "warning":
        effect += " " + phrase("effect_warning", lang)
    cause = sections.blocks(entry.cause[lang])[0]
    body = f"{effect}\n\n{cause}\n\n{sections.origin(entry, 'why', lang)}"
    return thread.reply("serious", lang, [Section("serious", phrase("say_serious", lang), body, entry.id)])


def release(thread: Thread, lang: str, about: str) -> Answer:
    """Which releases of torch show it, as far as that is on record.

    `about`: the release that was asked about.
    """
    entry = thread.entry
    runs = recorded_proofs.runs(entry)
    asked = [run for run in runs if about and _is_release(run.torch, about)]
    limits = _release_limits(entry, lang)
    parts: list[Section] = []
    if about and not asked:
        parts.append(note("say_no_release", lang, release=quoted(about)))
    elif not runs and not limits:
        parts.append(note("say_no_releases", lang))
    if not about and len(runs) > 1 and all(run.verdict in recorded_proofs.GOOD for run in runs):
        parts.append(note("say_all_releases", lang))
    lines = [*limits, *(_run_line(run, lang) for run in asked or runs)]
    if lines:
        body = "\n".join(f"- {line}" for line in lines)
        body += f"\n\n{sections.origin_of_record(entry.id, lang)}"
        parts.append(Section("release", phrase("say_releases", lang), body, entry.id))
    return thread.reply("release", lang, parts, found=bool(asked or ((runs or limits) and not about)))


def machine(thread: Thread, lang: str, about: str) -> Answer:
    """The machine's facts, and what they say for or against the entry at hand.

    Gathers them if nobody has (0.1 s).
    """
    topic = thread.topic
    if thread.facts is None:
        thread.facts = thread.assistant.machine()
    if topic is not None and topic.facts is None:
        thread.weigh(thread.facts)
    weighed = thread.topic.facts if thread.topic is not None else None
    facts = weighed if weighed is not None else thread.facts
    parts = []
    if thread.focus is not None:
        body = "\n".join(fact_lines(thread.focus, lang)) or phrase("facts_silent", lang)
        body += f"\n\n{sections.origin_of_record(thread.focus.id, lang)}"
        parts.append(Section("for", phrase("say_machine_bears", lang), body, thread.focus.id))
    facts_list = _fact_list(facts, thread.focus.pitfall if thread.focus else None, lang)
    body = f"{whose_facts(facts, lang)}\n\n{facts_list}\n\n{phrase('say_machine_more', lang)}"
    title = "facts_report" if facts.origin == "report" else "facts_machine"
    parts.append(Section("machine", phrase(title, lang), body))
    return thread.reply("machine", lang, parts)


def _is_release(release: str, asked: str) -> bool:
    """Whether a run's torch (2.13.0+cpu) is the release that was asked about (2.13, 2.13.0)."""
    parts, wanted = release.split("+")[0].split("."), asked.split(".")
    return parts[: len(wanted)] == wanted


def _run_line(run: recorded_proofs.RecordedRun, lang: str) -> str:
    verdict = phrase("run_good" if run.verdict in recorded_proofs.GOOD else f"run_{run.verdict}", lang)
    return phrase("say_run", lang, torch=run.torch, device=run.device, date=run.date, verdict=verdict)


def _release_limits(entry: Pitfall, lang: str) -> list[str]:
    """What the entry itself says of releases."""
    lines = []
    if entry.needs.torch:
        lines.append(phrase("say_needs_torch", lang, range=span(entry.needs.torch)))
    for item in entry.signatures:
        if item.releases:
            example = span(item.example.strip().splitlines()[0], MAX_EXAMPLE_CHARS)
            lines.append(phrase("say_wording_of", lang, range=span(item.releases), example=example))
    return lines


def _fact_list(facts: Facts, entry: Pitfall | None, lang: str) -> str:
    """The facts that the entry asks for, then the first ones; what is unknown says why."""
    asked_for = [
        name
        for rule in (entry.facts if entry else ())
        for left, _, right in comparisons(rule.when)
        for name in (*left, right)
        if is_fact(name)
    ]
    no_gpu = facts.get("gpu.count").value == 0  # then the driver has nothing to say of the rest
    lines = []
    for name in dict.fromkeys((*asked_for, *FIRST_FACTS)):
        fact = facts.get(name)
        of_gpu = name.startswith(("gpu.", "driver.")) and name != "gpu.count"
        if no_gpu and of_gpu and name not in asked_for:
            continue
        if fact.known:
            lines.append(f"- {name}: {span(shown(name, fact.value))}")
        else:
            lines.append(f"- {name}: {phrase(fact.unknown, lang, detail=span(fact.detail))}")
    return "\n".join(lines)
