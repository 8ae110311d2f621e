"""An entry as sections: what it says, its sources, its proof, and where it was seen."""

from __future__ import annotations

from torchwhy.knowledge.entry import Pitfall, Source
from torchwhy.knowledge.recorded_proofs import last_seen
from torchwhy.knowledge.site import page_of_entry
from torchwhy.text.markup import fence
from torchwhy.text.phrases import phrase

from .answer import FIELDS, Section


def entry_sections(entry: Pitfall, lang: str) -> tuple[Section, ...]:
    """The whole entry."""
    words = (entry.category, kind_word(entry.kind, lang), effect_word(entry.effect, lang))
    told = [
        fence(each.example) + (f"\n\ntorch {each.releases}" if each.releases else "")
        for each in entry.signatures
    ]
    fields = [
        Section(name, phrase(name, lang), getattr(entry, field)[lang].rstrip(), entry.id)
        for name, field in FIELDS.items()
    ]
    if entry.look_alikes:
        alike = f"{phrase('alike', lang)}: " + ", ".join(pair.id for pair in entry.look_alikes)
        fields.append(Section("alike", "", alike, entry.id))
    if told:
        fields.append(Section("wordings", phrase("wordings", lang), "\n\n".join(told), entry.id))
    title = Section("title", entry.title[lang], " · ".join([f"**{entry.id}**", *words]), entry.id)
    return (title, *fields, sources_section(entry, lang), proof_section(entry, lang))


def effect_word(effect: str, lang: str) -> str:
    """What an entry's `effect` is called on a page."""
    return phrase(f"effect_word_{effect}", lang)


def kind_word(kind: str, lang: str) -> str:
    """What an entry's `kind` is called on a page."""
    return phrase(f"kind_word_{kind}", lang)


def sources_section(entry: Pitfall, lang: str) -> Section:
    """Where the knowledge comes from, one line each; last the entry's page, where a site is set."""
    lines = [f"- {source_line(source, lang)}" for source in public_sources(entry.sources)]
    page = page_of_entry(entry, lang)
    lines += [f"- {phrase('page', lang)}: {page}"] if page else []
    return Section("sources", phrase("sources", lang), "\n".join(lines), entry.id)


def public_sources(sources: tuple[Source, ...]) -> tuple[Source, ...]:
    """Those with an address: a document that no reader can open is named only where there is nothing else."""
    return tuple(source for source in sources if source.url) or sources


def page_section(page: str, lang: str, id: str) -> Section:
    """The address of a page on the site alone, where the sources are left out."""
    return Section("sources", "", f"{phrase('page', lang)}: {page}", id)


def source_line(source: Source, lang: str) -> str:
    """A source as one line: a page's title and address, or a document and its section."""
    if source.url:
        return f"{source.title}: {source.url}"
    return f"{phrase('document', lang, key=source.document or '')} {source.section}"


def proof_section(entry: Pitfall, lang: str) -> Section:
    """The command that proves the entry, with where it was last seen; or why no script can prove it."""
    if entry.no_repro:
        return Section("noproof", phrase("noproof", lang), entry.no_repro[lang].rstrip(), entry.id)
    command = fence(f"torchwhy confirm {entry.id}", "sh")
    return Section("prove", phrase("prove", lang), command + _seen(entry, lang), entry.id)


def _seen(entry: Pitfall, lang: str) -> str:
    """Where the entry was last confirmed, as a paragraph; "" where nowhere."""
    last = last_seen(entry)
    if last is None:
        return ""
    key = "seen_stale" if last.stale else "seen"
    return "\n\n" + phrase(key, lang, device=last.device, torch=last.torch, date=last.date)
