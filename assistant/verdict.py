"""What a confirmation showed, as Markdown: the verdict, both legs, the numbers, this machine's message beside the pasted one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .answer import fact_reasons
from .cleaning import plain
from .compare import align, columns
from .conditions import version
from .confirm import signature_of
from .confirm_types import Confirmation
from .facts import Facts
from .markup import fence, span
from .paste import parse
from .render import fact_line, percent
from .types import Pitfall
from .words import word

SHOWN = 1500  # characters of a message that are shown
# A card that a text names in passing. Letters and a number alone (T4, A10) could be anything, so these are known models.
GPU_NAME = re.compile(
    r"\b(?:NVIDIA (?:GeForce |RTX |Quadro |Tesla )?|GeForce |Quadro |Tesla )[A-Z]{0,4} ?[A-Z]?\d{1,4}\w*(?:[ -](?:Ti|SUPER|Super|SXM\d|PCIe|PCIE|\d+GB)\b)*"
    r"|\b(?:RTX|GTX) ?\d{3,4}(?: (?:Ti|SUPER))?\b|\b(?:[AHV]100|H200|B[12]00|L40S?|A6000|MI[23]\d\dX?)\b"
)


def confirmation_markdown(result: Confirmation, entry: Pitfall, lang: str, paste: str | None = None, facts: Facts | None = None) -> str:
    """What `torchwhy confirm` and the chat show. `paste` is the whole text at hand, if there is one; `facts` the machine's."""
    parts = [f"# {word(result.verdict, lang)}", f"**{entry.id}** · {entry.title[lang]}"]
    chosen = f" ({word(result.chosen, lang)})" if result.chosen else ""
    parts.append(span(result.python) + (f" · torch {result.torch}" if result.torch else "") + chosen)
    if result.missed:
        parts.append(word("note_missed", lang, detail=", ".join(span(plain(name), 120) for name in result.missed[:3])))
    if result.reason and result.verdict not in ("confirmed", "reproduces-here"):
        parts.append(span(result.reason))
    measured = numbers(result, lang)
    for leg in result.legs:
        line = f"- {word(leg.name, lang)}: {leg.shows}, exit {leg.status}, {leg.seconds:.1f} s"
        if leg.numbers and not measured:
            line += " · " + ", ".join(f"{name} = {_number(value)}" for name, value in leg.numbers.items())
        parts.append(line)
    if measured:
        parts.append(f"{word('measured', lang)}:\n\n{measured}")
    parts += messages(result, entry, lang, paste)
    if paste is not None and result.legs:
        parts += machines(result, lang, paste)
    for leg in result.legs:
        if leg.shows in ("different", "timeout", "unloadable"):
            parts.append(fence("\n".join(line[:500] for line in leg.output.splitlines()[-20:])))
    if result.diagnosis is not None and result.diagnosis.match is not None:
        other = result.diagnosis.match
        parts.append(f"{word('diagnosed', lang)}: **{other.id}** ({percent(other.probability)}): {other.pitfall.title[lang]}")
    told = [f"- {fact_line(reason, lang)}" for reason in fact_reasons(entry, facts)] if facts else []
    if told:
        parts.append(f"{word('verdict_facts', lang)}:\n\n" + "\n".join(told))
    if result.verdict in ("confirmed", "reproduces-here"):
        parts.append(word("notshown", lang))
    return "\n\n".join(parts) + "\n"


def messages(result: Confirmation, entry: Pitfall, lang: str, paste: str | None) -> list[str]:
    """This machine's message, aligned with the pasted one where the paste shows one of the entry's own."""
    here = result.message
    alone = [f"{word('printed', lang)}:\n\n{fence(here[:SHOWN])}"] if here else []
    if paste is None or not result.legs:
        return alone
    found = signature_of(entry, plain(paste))
    if found is None:
        return [*alone, word("nomatch", lang)] if entry.signatures else alone
    number, pasted = found
    if not here:
        return [f"{word('pasted', lang)}:\n\n{fence(pasted[:SHOWN])}"]
    aligned = align(pasted, here)
    if aligned.relation == "identical":
        return [f"{word('printed', lang)}:\n\n{fence(here[:SHOWN])}", word("same_words", lang)]
    lines = []
    for over, under, marks in aligned.rows:
        lines += [f"- {over}".rstrip(), f"+ {under}".rstrip(), f"  {marks}".rstrip()]
    block = f"{word('aligned', lang)}\n\n{fence(chr(10).join(lines), 'diff')}"
    if number != result.legs[0].signature:
        return [block, word(_wording(result, paste), lang) + _releases(entry, number, result.legs[0].signature, lang)]
    return [block, word("same" if aligned.relation == "numbers" else "same_marked", lang)]


def _wording(result: Confirmation, paste: str) -> str:
    """The key of what to say of two wordings: which is the newer one, where the paste names its torch."""
    numbers = [version(text or "") for text in (parse(paste).torch, result.torch)]
    if numbers[0] is None or numbers[1] is None or numbers[0][:2] == numbers[1][:2]:
        return "wording"
    return "wording_newer" if numbers[0] < numbers[1] else "wording_older"


def _releases(entry: Pitfall, pasted: int, here: int | None, lang: str) -> str:
    """Which releases of torch word it which way, where the entry knows."""
    old, new = (entry.signatures[number].releases if number is not None else None for number in (pasted, here))
    said = [f"{word(key, lang)}: torch {span(releases)}" for key, releases in (("pasted", old), ("printed", new)) if releases]
    return f" ({'; '.join(said)})" if said else ""


def numbers(result: Confirmation, lang: str) -> str:
    """What both legs measured, before and after the fix, as a table; "" where not both did."""
    if len(result.legs) < 2 or not result.legs[0].numbers or not result.legs[1].numbers:
        return ""
    before, after = result.legs[0].numbers, result.legs[1].numbers
    rows = [(name, _number(before.get(name, "")), _number(after.get(name, ""))) for name in dict.fromkeys((*before, *after))]
    return table(["", word("broken", lang), word("fixed", lang)], rows)


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "none" if value is None else span(str(value), 60) if isinstance(value, (str, list, dict)) and value else str(value)


def machines(result: Confirmation, lang: str, paste: str) -> list[str]:
    """torch, CUDA and GPU of both sides, where the paste tells anything of its own."""
    from . import collect_env

    facts = collect_env.facts_in(paste) if "PyTorch version:" in paste else None
    release = parse(paste).torch
    build, card = re.search(r"\+cu(\d{2,3})$", release or ""), GPU_NAME.search(plain(paste))
    theirs = {"torch": release, "CUDA": f"{build[1][:-1]}.{build[1][-1]}" if build else None, "GPU": card[0] if card else None}
    if facts is not None:
        for name, fact in (("torch", "torch.version"), ("CUDA", "torch.cuda"), ("GPU", "gpu.name")):
            value = facts.get(fact).value
            theirs[name] = str(value) if value is not None else theirs[name]
    if not any(theirs.values()):
        return []
    ours = {"torch": result.torch, "CUDA": result.cuda or "none", "GPU": result.device or "none"}
    rows = [(name, span(theirs[name] or "?"), span(ours[name] or "?")) for name in theirs if theirs[name]]
    return [table(["", word("pasted", lang), word("here", lang)], rows)]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, padded so that it reads as well without being drawn."""
    cells = [[text.replace("|", "\\|") for text in row] for row in (head, *rows)]
    wide = [max(columns(row[at]) for row in cells) for at in range(len(head))]
    lines = ["| " + " | ".join(text + " " * (wide[at] - columns(text)) for at, text in enumerate(row)) + " |" for row in cells]
    return "\n".join([lines[0], "|" + "|".join("-" * (size + 2) for size in wide) + "|", *lines[1:]])
