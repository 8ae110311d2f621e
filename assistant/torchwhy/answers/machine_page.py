"""The facts of a machine as a page."""

from __future__ import annotations

from torchwhy.knowledge.facts import GROUPS, Facts, Gpu, report_names
from torchwhy.knowledge.vocabulary import FACT_NAMES, shown
from torchwhy.text.markup import span
from torchwhy.text.phrases import phrase

from .reasons import whose_facts


def machine_markdown(facts: Facts, lang: str) -> str:
    """What `torchwhy machine` shows: every fact with where it was read, or why it is unknown, in groups."""
    parts = [
        f"# {phrase('facts_report' if facts.origin == 'report' else 'facts_machine', lang)}",
        whose_facts(facts, lang),
    ]
    parts += [f"- {phrase(key, lang, detail=span(detail))}" for key, detail in facts.notes]
    names = report_names(facts)
    for heading, beginnings in GROUPS:
        rows = []
        none = facts.get("gpu.count").value == 0  # then the driver has nothing to say of the rest
        for name in names:
            if not name.startswith(beginnings) or (
                none and name.startswith(("gpu.", "driver.")) and name not in ("gpu.count", "gpu.xid")
            ):
                continue
            fact = facts.get(name)
            if facts.origin == "report" and not fact.known:
                continue  # named in one line below
            value = span(shown(name, fact.value)) if fact.known else "?"
            how = span(fact.how) if fact.known else phrase(fact.unknown, lang, detail=span(fact.detail))
            rows.append((name, value, how, FACT_NAMES[name][lang] if name in FACT_NAMES else ""))
        if rows:
            parts.append(f"## {phrase(heading, lang)}\n\n{table(rows, lang)}")
        if heading == "facts_gpu" and (len(facts.gpus) > 1 or any(gpu.users for gpu in facts.gpus)):
            parts.append("\n".join(gpu_line(gpu, lang) for gpu in facts.gpus))
    if facts.origin == "report":
        parts.append(
            f"{phrase('fact_not_in_report', lang)}: "
            + ", ".join(name for name in names if not facts.get(name).known)
        )
    return "\n\n".join(parts) + "\n"


def gpu_line(gpu: Gpu, lang: str) -> str:
    """One GPU: its name, free of all memory, and who is on it."""
    memory = (
        f" {shown('gpu.memory_free', gpu.memory_free)} / {shown('gpu.memory_total', gpu.memory_total)}"
        if gpu.memory_total is not None
        else ""
    )
    users = []
    for user in gpu.users:
        whose = "" if user.own is None else ", " + phrase("gpu_own" if user.own else "gpu_other", lang)
        size = "" if user.memory is None else f" {shown('gpu.memory_free', user.memory)}"
        users.append(f"{span(user.name) if user.name else '?'} (pid {user.pid}{whose}){size}")
    return f"- GPU {gpu.index}: {span(gpu.name)}{memory}" + ("; " + ", ".join(users) if users else "")


def table(rows: list[tuple[str, str, str, str]], lang: str) -> str:
    """A Markdown table of facts; the first two columns are padded so that it reads as well without being
    drawn.
    """
    head = tuple(phrase(key, lang) for key in ("col_fact", "col_value", "col_how", "col_means"))
    wide = [min(40, max(len(row[at]) for row in rows)) for at in (0, 1)]
    lines = [
        f"| {name:{wide[0]}} | {value:{wide[1]}} | {how} | {means} |"
        for name, value, how, means in [head, *((*row,) for row in rows)]
    ]
    return "\n".join(
        [
            lines[0],
            f"|{'-' * (wide[0] + 2)}|{'-' * (wide[1] + 2)}|---|---|",
            *(line.replace("\\|", "|") for line in lines[1:]),
        ]
    )
