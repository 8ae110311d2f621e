"""Distinct errors are answered once: of all texts with one fingerprint the one with the least hash, so that
neither the order of files nor the number of workers decides what is asked.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from torchwhy.version import __version__

from .parts import Folder, PartWriter
from .row import arrow

if TYPE_CHECKING:
    from torchwhy.answers.answer import Answer
    from torchwhy.api import Assistant

CHUNK = 128  # texts that are ranked, and embedded, together


class AssistantOptions(NamedTuple):
    """What answers: as the arguments of `Assistant`."""

    kb: str | None = None
    model: str | None = None
    vectors: bool = True


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to one distinct error; `sample` is the redacted text that was asked."""

    fingerprint: str
    sample_hash: str
    knowledge: str
    entry: str | None
    family: str | None
    category: str | None
    probability: float | None
    python_error: str | None
    sample: str


class Chunk(NamedTuple):
    """Texts to answer: (fingerprint, hash of the text), whose texts lie in the folder's looks."""

    out: str
    name: str
    knowledge: AssistantOptions
    wanted: tuple[tuple[str, str], ...]


_assistants: dict[AssistantOptions, Assistant] = {}


def assistant_of(knowledge: AssistantOptions) -> Assistant:
    """This process's Assistant. Raises KnowledgeError, StoreError."""
    from torchwhy.api import Assistant

    if knowledge not in _assistants:
        _assistants[knowledge] = Assistant(
            knowledge.kb, model=knowledge.model, vectors=knowledge.vectors, lang="en"
        )
    return _assistants[knowledge]


def stamp_of(knowledge: AssistantOptions) -> str:
    """What an answer depends on beside its text: a new release or an edited entry answers anew."""
    digests = sorted(assistant_of(knowledge).store.digests().items())
    text = repr((__version__, knowledge.model, knowledge.vectors, digests))
    return hashlib.blake2b(text.encode()).hexdigest()[:16]


def missing(folder: Folder, knowledge: AssistantOptions, name: str) -> list[Chunk]:
    """The distinct errors that nobody answered yet, in chunks."""
    chosen: dict[str, str] = {}
    pc = arrow().compute
    for batch in folder.scan("looks", ("fingerprint", "sample_hash"), ~pc.is_null(pc.field("sample"))):
        for mark, text in zip(batch["fingerprint"], batch["sample_hash"], strict=True):
            if mark not in chosen or text < chosen[mark]:
                chosen[mark] = text
    stamp = stamp_of(knowledge) if chosen else ""
    known = {
        mark: (text, made)
        for batch in folder.scan("answers", ("fingerprint", "sample_hash", "knowledge"))
        for mark, text, made in zip(*batch.values(), strict=True)
        if chosen.get(mark) == text and made == stamp
    }
    wanted = sorted((mark, text) for mark, text in chosen.items() if mark not in known)
    return [
        Chunk(
            str(folder.path), f"{name}-{start // CHUNK:06d}", knowledge, tuple(wanted[start : start + CHUNK])
        )
        for start in range(0, len(wanted), CHUNK)
    ]


def answer_chunk(chunk: Chunk) -> int:
    """Answer the texts of a chunk and write the part; how many they are. Raises WriteError."""
    folder = Folder(chunk.out)
    texts: dict[str, str] = {}
    pc = arrow().compute
    hashes = [text for _, text in chunk.wanted]
    where = pc.field("sample_hash").isin(hashes) & ~pc.is_null(pc.field("sample"))
    for batch in folder.scan("looks", ("sample_hash", "sample"), where):
        texts.update(zip(batch["sample_hash"], batch["sample"], strict=True))
    stamp = stamp_of(chunk.knowledge)
    answers = assistant_of(chunk.knowledge).ask_many([texts[text] for text in hashes], source=False)
    with PartWriter(folder.answers, chunk.name, Answered) as part:
        for (mark, text), answer in zip(chunk.wanted, answers, strict=True):
            part.add(_answered(mark, text, stamp, answer, texts[text]))
    return len(answers)


def _answered(mark: str, text: str, stamp: str, answer: Answer, sample: str) -> Answered:
    match, family = answer.match, answer.family
    own = answer.python_error
    return Answered(
        mark,
        text,
        stamp,
        match.id if match else None,
        family.id if family else None,
        match.pitfall.category if match else None,
        match.probability if match else family.probability if family else None,
        answer.root.name if own is not None and answer.root and not _raised(answer) else None,
        sample,
    )


def _raised(answer: Answer) -> bool:
    """Whether a `raise` of the program's own said it: such an error is the program's, as an entry of its team
    may explain it, and not one of those that Python raises anywhere.
    """
    own, here = answer.python_error, answer.here
    return own is not None and (own.raised or (here is not None and here.code.startswith("raise ")))


def answers(folder: Folder, knowledge: AssistantOptions) -> dict[str, Answered]:
    """Every answer of this knowledge, by fingerprint."""
    found: dict[str, Answered] = {}
    stamp = ""
    for each in folder.read("answers", Answered):
        stamp = stamp or stamp_of(knowledge)
        if each.knowledge == stamp:
            kept = found.get(each.fingerprint)
            if kept is None or each.sample_hash < kept.sample_hash:
                found[each.fingerprint] = each
    return found
