"""Answers as Markdown. On a terminal rich draws it; in a pipe the Markdown itself is the plain text.

Whatever comes from a paste stands in code spans or fences whose content cannot close them; it was stripped of control
characters when it was parsed.
"""

from __future__ import annotations

from .answer import Answer, Match, Reason
from .evidence import last_seen
from .facts import FACT_NAMES, GROUPS, Facts, Gpu, report_names, shown
from .markup import fence as fence
from .markup import span as span
from .types import Pitfall, Source
from .words import word


def percent(probability: float) -> str:
    """A probability for people: never 100 %, which nobody can promise."""
    return f"{min(99, round(probability * 100))} %"


def answer_markdown(answer: Answer, *, brief: bool = False) -> str:
    """The whole answer."""
    lang = answer.lang
    if answer.match is None:
        return _unknown(answer)
    match, entry = answer.match, answer.match.pitfall
    parts = [f"# {entry.title[lang]}", f"**{entry.id}** · {entry.effect} · {word('sure', lang, percent=percent(match.probability))}"]
    if not answer.calibrated:
        parts[-1] += f" ({word('uncalibrated', lang)})"
    root = answer.root
    if root is not None and any(reason.kind == "signature" for reason in match.why):
        shown = next(reason.text for reason in match.why if reason.kind == "signature")
        parts.append(f"> {span(shown)}")
    for wrapper in answer.wrappers:
        parts.append("> " + word("wrapper", lang, name=f"{wrapper.name}"))
    said = match.says.get(lang, ())
    if said:
        parts.append(f"## {word('says', lang)}\n\n" + "\n".join(f"- {line}" for line in said))
    parts.append(f"## {word('why', lang)}\n\n{entry.cause[lang]}")
    parts.append(f"## {word('fix', lang)}\n\n{entry.fix[lang]}")
    parts.append(f"## {word('check', lang)}\n\n{entry.check[lang]}")
    if answer.rival:
        other = answer.rival.pitfall
        parts.append(
            f"## {word('rival', lang)}: {other.title[lang]}\n\n**{other.id}** · {word('sure', lang, percent=percent(answer.rival.probability))}\n\n{other.check[lang]}"
        )
        if fact_lines(answer.rival, lang):
            parts.append("\n".join(fact_lines(answer.rival, lang)))
    if not brief:
        parts.append(f"## {word('for', lang)}\n\n" + "\n".join(f"- {line}" for line in reasons(match, lang)))
        if answer.facts is not None:
            parts.append(
                f"{word('facts_whose', lang)}: {whose_facts(answer.facts, lang)}" + ("" if fact_lines(match, lang) else f"; {word('facts_silent', lang)}")
            )
        near = [other for other in list(answer.candidates)[1:3] if other.probability >= 0.01 and (answer.rival is None or other.id != answer.rival.id)]
        if near:
            parts.append(f"{word('alike', lang)}: " + "; ".join(f"{other.id} ({percent(other.probability)})" for other in near))
        parts.append(sources(entry, lang))
    parts.append(proof(entry, lang))
    return "\n\n".join(parts) + "\n"


def reasons(match: Match, lang: str) -> list[str]:
    """What speaks for a match, one line each; facts apart from inference."""
    lines = []
    for reason in match.why:
        if reason.said is not None:
            lines.append(fact_line(reason, lang))
            continue
        value = f"{reason.value:.2f}" if reason.value is not None else ""
        text = f": {span(reason.text)}" if reason.text else ""
        lines.append(word(reason.kind, lang, value=value) + text)
    if not any(reason.kind == "signature" for reason in match.why):
        lines.append(word("guess", lang))
    return lines


def fact_line(reason: Reason, lang: str) -> str:
    """What a fact says: whose it is, the entry's sentence, the values; `against` is said first."""
    values = ", ".join(span(f"{name} = {value}", 120) for name, value in reason.values)
    whose = word("fact" if reason.origin == "machine" else "fact_report", lang)
    return (word("fact_against", lang) if reason.speaks == "against" else "") + word("fact_line", lang, whose=whose, said=said_of(reason, lang), values=values)


def fact_lines(match: Match, lang: str) -> list[str]:
    """What the facts say of a candidate, as a list in Markdown."""
    return [f"- {fact_line(reason, lang)}" for reason in match.why if reason.said is not None]


def said_of(reason: Reason, lang: str) -> str:
    return reason.said[lang].rstrip(".。") if reason.said else reason.text


def whose_facts(facts: Facts, lang: str) -> str:
    """Which machine and torch the facts are of, in one line."""
    release = shown("torch.version", facts.get("torch.version").value)
    if facts.origin == "report":
        return word("facts_of_report", lang, torch=release)
    return word("facts_of_machine", lang, python=span(facts.interpreter), torch=release, chosen=word(facts.chosen, lang))


def machine_markdown(facts: Facts, lang: str) -> str:
    """What `torchwhy machine` shows: every fact with where it was read, or why it is unknown, in groups."""
    parts = [f"# {word('facts_report' if facts.origin == 'report' else 'facts_machine', lang)}", whose_facts(facts, lang)]
    parts += [f"- {word(key, lang, detail=span(detail))}" for key, detail in facts.notes]
    names = report_names(facts)
    for heading, beginnings in GROUPS:
        rows = []
        none = facts.get("gpu.count").value == 0  # then the driver has nothing to say of the rest
        for name in names:
            if not name.startswith(beginnings) or (none and name.startswith(("gpu.", "driver.")) and name not in ("gpu.count", "gpu.xid")):
                continue
            fact = facts.get(name)
            if facts.origin == "report" and not fact.known:
                continue  # named in one line below
            value = span(shown(name, fact.value)) if fact.known else "?"
            how = span(fact.how) if fact.known else word(fact.unknown, lang, detail=span(fact.detail))
            rows.append((name, value, how, FACT_NAMES[name][lang] if name in FACT_NAMES else ""))
        if rows:
            parts.append(f"## {word(heading, lang)}\n\n{table(rows, lang)}")
        if heading == "facts_gpu" and (len(facts.gpus) > 1 or any(gpu.users for gpu in facts.gpus)):
            parts.append("\n".join(gpu_line(gpu, lang) for gpu in facts.gpus))
    if facts.origin == "report":
        parts.append(f"{word('fact_not_in_report', lang)}: " + ", ".join(name for name in names if not facts.get(name).known))
    return "\n\n".join(parts) + "\n"


def gpu_line(gpu: Gpu, lang: str) -> str:
    """One GPU: its name, free of all memory, and who is on it."""
    memory = f" {shown('gpu.memory_free', gpu.memory_free)} / {shown('gpu.memory_total', gpu.memory_total)}" if gpu.memory_total is not None else ""
    users = []
    for user in gpu.users:
        whose = "" if user.own is None else ", " + word("gpu_own" if user.own else "gpu_other", lang)
        size = "" if user.memory is None else f" {shown('gpu.memory_free', user.memory)}"
        users.append(f"{span(user.name) if user.name else '?'} (pid {user.pid}{whose}){size}")
    return f"- GPU {gpu.index}: {span(gpu.name)}{memory}" + ("; " + ", ".join(users) if users else "")


def table(rows: list[tuple[str, str, str, str]], lang: str) -> str:
    """A Markdown table of facts; the first two columns are padded so that it reads as well without being drawn."""
    head = tuple(word(key, lang) for key in ("col_fact", "col_value", "col_how", "col_means"))
    wide = [min(40, max(len(row[at]) for row in rows)) for at in (0, 1)]
    lines = [f"| {name:{wide[0]}} | {value:{wide[1]}} | {how} | {means} |" for name, value, how, means in [head, *((*row,) for row in rows)]]
    return "\n".join([lines[0], f"|{'-' * (wide[0] + 2)}|{'-' * (wide[1] + 2)}|---|---|", *(line.replace("\\|", "|") for line in lines[1:])])


def sources(entry: Pitfall, lang: str) -> str:
    return f"## {word('sources', lang)}\n\n" + "\n".join(f"- {source_line(source, lang)}" for source in entry.sources)


def source_line(source: Source, lang: str) -> str:
    if source.url:
        return f"{source.title}: {source.url}"
    return f"{word('document', lang, key=source.document or '')} {source.section}"


def proof(entry: Pitfall, lang: str) -> str:
    if entry.no_repro:
        return f"## {word('noproof', lang)}\n\n{entry.no_repro[lang]}"
    return f"## {word('prove', lang)}\n\n" + fence(f"torchwhy confirm {entry.id}", "sh") + seen(entry, lang)


def seen(entry: Pitfall, lang: str) -> str:
    """Where the entry was last confirmed, as a paragraph; "" where nowhere."""
    last = last_seen(entry)
    if last is None:
        return ""
    return "\n\n" + word("seen_stale" if last.stale else "seen", lang, device=last.device, torch=last.torch, date=last.date)


def _unknown(answer: Answer) -> str:
    lang = answer.lang
    if answer.facts is not None and answer.facts.origin == "report" and not answer.paste.text.strip():
        return f"# {word('report_alone', lang)}\n\n{word('facts_whose', lang)}: {whose_facts(answer.facts, lang)}\n"
    known = answer.root is not None
    names = ", ".join(answer.paste.foreign)
    first = word("unknown_foreign", lang, names=names) if names else word("unknown", lang)
    parts = [f"# {first}"]
    root = answer.root
    if root is not None:
        text = f"{root.exception}: {root.message}" if root.exception else root.message
        parts.append(f"{word('unknown_error', lang)}: {span(text)}")
    elif not known and not answer.candidates:
        parts.append(word("nothing", lang))
    near = list(answer.candidates)[:2]
    if near:
        lines = [f"## {word('nearest', lang)}"]
        for item in near:
            entry = item.pitfall
            check = entry.check[lang].split("\n\n")[0].replace("\n", " ")
            lines.append(f"- **{entry.id}** ({percent(item.probability)}): {entry.title[lang]}\n  {word('tell', lang)}: {check}")
            lines += [f"  {line}" for line in fact_lines(item, lang)]
        parts.append("\n\n".join(lines))
    return "\n\n".join(parts) + "\n"


def entry_markdown(entry: Pitfall, lang: str) -> str:
    """An entry as a page: `torchwhy show`."""
    parts = [f"# {entry.title[lang]}", f"**{entry.id}** · {entry.category} · {entry.kind} · {entry.effect}"]
    if entry.signatures:
        rows = [fence(item.example) + (f"\n\ntorch {item.releases}" if item.releases else "") for item in entry.signatures]
        parts.append("\n\n".join(rows))
    parts += [f"## {word(name, lang)}\n\n{getattr(entry, field)[lang]}" for name, field in (("why", "cause"), ("fix", "fix"), ("check", "check"))]
    if entry.look_alikes:
        parts.append(f"{word('alike', lang)}: " + ", ".join(pair.id for pair in entry.look_alikes))
    parts += [sources(entry, lang), proof(entry, lang)]
    return "\n\n".join(parts) + "\n"
