"""Answers as Markdown. On a terminal rich draws it; in a pipe the Markdown itself is the plain text.

Whatever comes from a paste stands in code spans or fences whose content cannot close them; it was stripped of control
characters when it was parsed.
"""

from __future__ import annotations

import re

from .answer import Answer, Match
from .confirm_types import Confirmation
from .types import Pitfall, Source
from .words import word


def span(text: str, limit: int = 300) -> str:
    """One line of foreign text as a code span that it cannot leave."""
    text = " ".join(text.split())
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    ticks = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def fence(text: str, info: str = "text") -> str:
    ticks = "`" * max(3, max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    return f"{ticks}{info}\n{text.rstrip()}\n{ticks}"


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
    if not brief:
        parts.append(f"## {word('for', lang)}\n\n" + "\n".join(f"- {line}" for line in reasons(match, lang)))
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
        value = f"{reason.value:.2f}" if reason.value is not None else ""
        text = f": {span(reason.text)}" if reason.text else ""
        lines.append(word(reason.kind, lang, value=value) + text)
    if not any(reason.kind == "signature" for reason in match.why):
        lines.append(word("guess", lang))
    return lines


def sources(entry: Pitfall, lang: str) -> str:
    return f"## {word('sources', lang)}\n\n" + "\n".join(f"- {source_line(source, lang)}" for source in entry.sources)


def source_line(source: Source, lang: str) -> str:
    if source.url:
        return f"{source.title}: {source.url}"
    return f"{word('document', lang, key=source.document or '')} {source.section}"


def proof(entry: Pitfall, lang: str) -> str:
    if entry.no_repro:
        return f"## {word('noproof', lang)}\n\n{entry.no_repro[lang]}"
    return f"## {word('prove', lang)}\n\n" + fence(f"torchwhy confirm {entry.id}", "sh")


def _unknown(answer: Answer) -> str:
    lang = answer.lang
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


def confirmation_markdown(result: Confirmation, entry: Pitfall, lang: str, pasted: str | None = None) -> str:
    """What `torchwhy confirm` shows: verdict, both legs, the message of this machine beside the pasted one."""
    parts = [f"# {word(result.verdict, lang)}", f"**{entry.id}** · {entry.title[lang]}"]
    where = f"{result.python}" + (f" · torch {result.torch}" if result.torch else "")
    parts.append(where)
    if result.reason and result.verdict not in ("confirmed", "reproduces-here"):
        parts.append(span(result.reason))
    for leg in result.legs:
        line = f"- {word(leg.name, lang)}: {leg.shows}, exit {leg.status}, {leg.seconds:.1f} s"
        if leg.numbers:
            line += " · " + ", ".join(f"{name} = {value}" for name, value in leg.numbers.items())
        parts.append(line)
    if result.message:
        parts.append(f"{word('printed', lang)}:\n\n{fence(result.message[:1500])}")
    if pasted is not None and result.legs:
        if result.paste_signature is None:
            parts.append(word("nomatch", lang))
        else:
            parts.append(f"{word('pasted', lang)}:\n\n{fence(pasted[:1500])}")
            parts.append(word("same" if result.paste_signature == result.legs[0].signature else "wording", lang))
    for leg in result.legs:
        if leg.shows in ("different", "timeout", "unloadable"):
            parts.append(fence("\n".join(leg.output.splitlines()[-20:])))
    if result.diagnosis is not None and result.diagnosis.match is not None:
        other = result.diagnosis.match
        parts.append(f"{word('diagnosed', lang)}: **{other.id}** ({percent(other.probability)}): {other.pitfall.title[lang]}")
    if result.verdict in ("confirmed", "reproduces-here"):
        parts.append(word("notshown", lang))
    return "\n\n".join(parts) + "\n"
