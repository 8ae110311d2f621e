"""The values that the parts of torchwhy hand to one another: frozen, slotted, with no heavy import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, Lang] = ("en", "zh")
Kind = Literal["error", "warning", "silent"]
KINDS: tuple[Kind, ...] = ("error", "warning", "silent")
EFFECTS = ("crash", "wrong-result", "memory", "slow", "hang", "not-reproducible", "practice")


@dataclass(frozen=True, slots=True)
class Bilingual:
    """One text in English and in Chinese."""

    en: str
    zh: str

    def __getitem__(self, lang: str) -> str:
        return self.zh if lang == "zh" else self.en


@dataclass(frozen=True, slots=True)
class Says:
    """What the numbers in a message mean; shown when `when` holds for the pattern's groups (None: always)."""

    text: Bilingual
    when: str | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """One wording of a message. `pattern` and `context` are RE2; `releases` a PEP 440 range of torch."""

    pattern: str
    example: str
    releases: str | None = None
    context: str | None = None
    says: tuple[Says, ...] = ()


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A confusable entry; `near_miss` is a paste that the other one owns and this one must not win."""

    id: str
    near_miss: str | None = None


@dataclass(frozen=True, slots=True)
class Needs:
    """What a repro needs. Empty: any machine with a CPU and torch. `seconds` is the limit of one leg."""

    cuda: bool = False
    gpus: int = 0
    gpu_memory: str | None = None
    torch: str | None = None
    python: str | None = None
    packages: tuple[str, ...] = ()
    platform: str | None = None
    compiler: bool = False
    capability: str | None = None
    seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class FactRule:
    """A condition on facts of the machine, and which way it speaks where it holds."""

    when: str
    speaks: Literal["for", "against"]
    text: Bilingual


@dataclass(frozen=True, slots=True)
class Source:
    """Where the knowledge comes from: a section of a document of `data/documents.yaml`, or a page to open."""

    document: str | None = None
    section: str | None = None
    url: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Pitfall:
    """One entry of the knowledge base. `id` and `category` are the entry's path; `folder` its directory."""

    id: str
    category: str
    title: Bilingual
    kind: Kind
    effect: str
    asks: Mapping[str, Sequence[str]]
    cause: Bilingual
    fix: Bilingual
    check: Bilingual
    sources: tuple[Source, ...]
    signatures: tuple[Signature, ...] = ()
    symptom: str | None = None
    look_alikes: tuple[LookAlike, ...] = ()
    needs: Needs = field(default_factory=Needs)
    facts: tuple[FactRule, ...] = ()
    no_repro: Bilingual | None = None
    folder: str = ""

    @property
    def repro(self) -> str | None:
        """Path of repro.py, or None where the entry says why there is none."""
        return None if self.no_repro else f"{self.folder}/repro.py"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an entry: which file and field, what was found, what is wanted."""

    file: str
    field: str
    found: str
    wanted: str

    def __str__(self) -> str:
        return f"{self.file}: {self.field}: found {self.found}; wanted {self.wanted}"


JSONObject = dict[str, Any]
