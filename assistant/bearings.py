"""What bears on the entry at hand: how serious it is, which releases show it, what this machine's facts say.

All of it is on record: the entry's `effect`, `needs` and `releases`, the evidence of runs, the facts. Nothing is inferred.
"""

from __future__ import annotations

from dataclasses import replace

from . import evidence, replies
from .answer import Answer, with_facts
from .conditions import parse as terms
from .facts import Facts, is_fact, shown
from .markup import quoted, span
from .render import fact_lines, whose_facts
from .replies import Section, note
from .talk import Talk
from .types import Pitfall
from .words import word

# What a reader wants to know of a machine first; the facts that the entry asks for come before them.
FIRST_FACTS = (
    "gpu.count", "gpu.name", "gpu.memory_free", "gpu.memory_total", "driver.version", "driver.cuda", "torch.version", "torch.cuda", "python.version",
    "ram.free", "shm.free", "cpu.cores",
)  # fmt: skip


class Bearings(Talk):
    """Replies about seriousness, releases and the machine. One method per intent of `intents`."""

    def _serious(self, lang: str, about: str = "") -> Answer:
        """Whether it matters: what the entry says it does, and why."""
        if self.focus is None:
            return self._unsettled("serious", lang)
        entry = self.focus.pitfall
        said = word(f"effect_{entry.effect}", lang) + (" " + word("effect_warning", lang) if entry.kind == "warning" else "")
        why = replies.blocks(entry.cause[lang])[0]
        section = Section("serious", word("say_serious", lang), f"{said}\n\n{why}\n\n{replies.origin(entry, 'why', lang)}", entry.id)
        return self._reply("serious", lang, [section])

    def _release(self, lang: str, about: str = "") -> Answer:
        """Which releases of torch show it, as far as that is on record. `about`: the release that was asked about."""
        if self.focus is None:
            return self._unsettled("release", lang)
        entry = self.focus.pitfall
        runs = evidence.runs(entry)
        asked = [run for run in runs if about and _is_release(run.torch, about)]
        lines = [word("say_run", lang, torch=run.torch, device=run.device, date=run.date, verdict=_told(run, lang)) for run in asked or runs]
        limits = _limits(entry, lang)
        sections: list[Section] = []
        if about and not asked:
            sections.append(note("say_no_release", lang, release=quoted(about)))
        elif not runs and not limits:
            sections.append(note("say_no_releases", lang))
        if not about and len(runs) > 1 and all(run.verdict in evidence.GOOD for run in runs):
            sections.append(note("say_all_releases", lang))
        if lines or limits:
            body = "\n".join(f"- {line}" for line in [*limits, *lines])
            sections.append(Section("release", word("say_releases", lang), f"{body}\n\n*{word('say_from', lang)}* **{entry.id}**", entry.id))
        return self._reply("release", lang, sections, found=bool(asked or ((runs or limits) and not about)))

    def _machine(self, lang: str, about: str = "") -> Answer:
        """The machine's facts, and what they say for or against the entry at hand. Gathers them if nobody has (0.1 s)."""
        topic = self.topic
        if self.facts is None:
            self.facts = self.assistant.machine(paste=topic.paste.text if topic else None)
        if topic is not None and topic.facts is None:
            self.weigh(self.facts)
        facts = self.topic.facts if self.topic is not None and self.topic.facts is not None else self.facts
        entry = self.focus.pitfall if self.focus else None
        sections = []
        if self.focus is not None:
            body = "\n".join(fact_lines(self.focus, lang)) or word("facts_silent", lang)
            sections.append(Section("for", word("say_machine_bears", lang), f"{body}\n\n*{word('say_from', lang)}* **{self.focus.id}**", self.focus.id))
        body = f"{whose_facts(facts, lang)}\n\n{_listed(facts, entry, lang)}\n\n{word('say_machine_more', lang)}"
        sections.append(Section("machine", word("facts_report" if facts.origin == "report" else "facts_machine", lang), body))
        return self._reply("machine", lang, sections)

    def weigh(self, facts: Facts) -> None:
        """From now on these facts speak for or against what is diagnosed; a pasted report keeps its place."""
        self.facts = facts
        if self.topics and self.topics[-1].facts is None:
            self.topics[-1] = with_facts(self.topics[-1], facts)
            if self.focus is not None:
                weighed = self._match(self.focus.id)
                if not any(reason.kind == "fact" for reason in weighed.why):  # not among the first candidates
                    alone = with_facts(replace(self.topics[-1], match=weighed, candidates=(weighed,), rival=None), facts)
                    weighed = alone.match or weighed
                self.focus = weighed


def _is_release(release: str, asked: str) -> bool:
    """Whether a run's torch (2.13.0+cpu) is the release that was asked about (2.13, 2.13.0)."""
    have, want = release.split("+")[0].split("."), asked.split(".")
    return have[: len(want)] == want


def _told(run: evidence.Run, lang: str) -> str:
    return word("run_good" if run.verdict in evidence.GOOD else f"run_{run.verdict}", lang)


def _limits(entry: Pitfall, lang: str) -> list[str]:
    """What the entry itself says of releases."""
    lines = [word("say_needs_torch", lang, range=span(entry.needs.torch))] if entry.needs.torch else []
    told = [(item.releases, item.example.strip().splitlines()[0]) for item in entry.signatures if item.releases]
    return lines + [word("say_wording_of", lang, range=span(releases), example=span(example, 160)) for releases, example in told]


def _listed(facts: Facts, entry: Pitfall | None, lang: str) -> str:
    """The facts that the entry asks for, then the first ones; what is unknown says why."""
    wanted = [name for rule in (entry.facts if entry else ()) for left, _, right in terms(rule.when) for name in (left, right) if is_fact(name)]
    none = facts.get("gpu.count").value == 0  # then the driver has nothing to say of the rest
    lines = []
    for name in dict.fromkeys((*wanted, *FIRST_FACTS)):
        fact = facts.get(name)
        if none and name.startswith(("gpu.", "driver.")) and name != "gpu.count" and name not in wanted:
            continue
        lines.append(f"- {name}: {span(shown(name, fact.value)) if fact.known else word(fact.unknown, lang, detail=span(fact.detail))}")
    return "\n".join(lines)
