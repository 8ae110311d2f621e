"""What an answer holds; `build.py` makes it from a ranking, `render.py` shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from torchwhy.paste.place import here_of, package_of
from torchwhy.text.markup import quoted
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import escaped

if TYPE_CHECKING:
    from torchwhy.knowledge.entry import ChangeTemplate as Template
    from torchwhy.knowledge.entry import Pitfall
    from torchwhy.knowledge.facts import Facts
    from torchwhy.knowledge.family import Check, CheckAnswer, Family
    from torchwhy.paste.paste import Found, Paste
    from torchwhy.paste.place import Package, UserFrame
    from torchwhy.runtime.json_types import JSONObject
    from torchwhy.text.language import Bilingual

    from .change import Change
    from .evidence import CodeFinding, Evidence
    from .own_error import PythonError

FIELDS = {
    "why": "cause",
    "fix": "fix",
    "check": "check",
}  # sections of an answer that are fields of the entry


CLOSE = 0.55  # the second candidate's share of the first's probability from which both are named


class Reason(NamedTuple):
    """One thing that speaks for (or against) a match. `kind`: signature, context, words, meaning, fact, code.

    Of code, `said` is the place in the user's file with what is wrong there. For a fact, `said` is the
    entry's sentence, `values` the facts that it rests on (name, shown value), `origin` whose they are: this
    `machine`'s or a pasted `report`'s. `text` is then the sentence in English with the values.
    """

    kind: Literal["signature", "context", "words", "meaning", "fact", "code"]
    text: str
    value: float | None = None
    speaks: Literal["for", "against"] = "for"
    said: Bilingual | None = None
    values: tuple[tuple[str, str], ...] = ()
    origin: str = ""

    def text_in(self, lang: str) -> str:
        """The text, for a fact or a place in code in that language."""
        if self.said is None:
            return self.text
        if not self.values:
            return self.said[lang]
        return f"{self.said[lang]} ({', '.join(f'{name} = {value}' for name, value in self.values)})"


class Match(NamedTuple):
    """One candidate. `probability` is calibrated, 0..1; `pitfall` is read from the index when asked for."""

    id: str
    probability: float
    why: tuple[Reason, ...]
    says: Mapping[str, tuple[str, ...]]
    """What the numbers in the message mean, by language."""
    signature: int | None = None
    """Which of the entry's signatures the text shows."""
    values: tuple[tuple[str, str], ...] = ()
    """What that signature's named groups read."""
    state: Mapping[str, str] = {}
    """What the signature's conditions may ask of the message beside its groups: whether it was cut."""
    branch: int | None = None
    """Which of the causes that the entry lists is nearest to the text, where one stands clear."""
    load: Callable[[str], Pitfall] | None = None
    """Gives the entry; no part of what a match says, so not of its equality either."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self[:-1] == other[:-1]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.id, self.probability, self.signature))

    def __repr__(self) -> str:
        return f"Match(id={self.id!r}, probability={self.probability}, why={self.why!r})"

    @property
    def pitfall(self) -> Pitfall:
        assert self.load is not None
        return self.load(self.id)

    @property
    def claimed(self) -> str | None:
        """What of the text that signature matched, spaces made single."""
        return next((reason.text for reason in self.why if reason.kind == "signature"), None)

    @property
    def changes(self) -> tuple[Template, ...]:
        """What may be changed: what this wording of the message asks for, then what the entry does."""
        entry = self.pitfall
        own = () if self.signature is None else entry.signatures[self.signature].change
        return (*own, *entry.change)

    def closest(self, lang: str) -> str:
        """That cause as a sentence; "" where none stands clear."""
        if self.branch is None:
            return ""
        from .branches import branches, sentence

        return sentence(branches(self.pitfall.cause[lang])[self.branch])

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled with its entry, since the index that it came from does not travel."""
        parts = (self.id, self.probability, self.why, dict(self.says), self.signature, self.values)
        return Match, (*parts, dict(self.state), self.branch, Loaded(self.pitfall))


class Loaded(NamedTuple):
    """Gives the one entry that it holds: what a match loads from where there is no index."""

    entry: Pitfall

    def __call__(self, id: str) -> Pitfall:
        return self.entry


class FamilyMatch(NamedTuple):
    """A symptom that several entries explain, where the text does not decide which.

    `members` are its candidates, best first, with probabilities that add up to the family's; `checks` tell
    them apart, the most telling one first; `answered` holds the answers that the text itself gives.
    """

    family: Family
    probability: float
    members: tuple[Match, ...]
    checks: tuple[Check, ...]
    answered: tuple[CheckAnswer, ...] = ()

    def __repr__(self) -> str:
        return f"<FamilyMatch: {self.id}, {self.probability:.2f}>"

    @property
    def id(self) -> str:
        return self.family.id


class Answer(NamedTuple):
    """The answer to one text. `match` is None where nothing fits well enough; `candidates` are best first.

    `family` is the answer where the symptom is clear and the entry is not, `likely` (the first candidates, up
    to three) where a symptom in words is of no one family either; `match` is then None.

    `rival` is a candidate that the text cannot tell from `match`; `notes` says what was done without (no
    vectors, ...).
    """

    match: Match | None
    candidates: Sequence[Match]
    lang: str
    evidence: Evidence
    none: float = 0.0
    rival: Match | None = None
    notes: tuple[str, ...] = ()
    calibrated: bool = True
    reply: Reply | None = None
    """What a turn of a conversation says (`Conversation.say`); None for a plain question."""
    family: FamilyMatch | None = None
    change: Change | None = None
    """What to change, with the numbers of the message filled in; None where the entry has no template that
    fits.
    """
    python_error: PythonError | None = None
    """Set where the error is Python's own; `match` is then None."""
    heard: tuple[str, ...] = ()
    """What a conversation has understood so far, in the user's own words, each with how it was read."""
    likely: tuple[Match, ...] = ()
    vocabulary: Callable[[], frozenset[str]] = frozenset
    """Gives the words of the knowledge base: of the user's text, others are told these (`telling`)."""

    @property
    def paste(self) -> Paste:
        """The text as it was read."""
        return self.evidence.paste

    @property
    def facts(self) -> Facts | None:
        """The facts of a machine that speak here; None where none were looked at."""
        return self.evidence.facts

    @property
    def code(self) -> tuple[CodeFinding, ...] | None:
        """What was found in the user's code; None where none was looked at."""
        return self.evidence.code

    @property
    def title(self) -> str:
        """The entry's title in the answer's language; "" where nothing fits."""
        return self.match.pitfall.title[self.lang] if self.match else ""

    @property
    def fix(self) -> str:
        """The entry's fix in the answer's language, Markdown; "" where nothing fits."""
        return self.match.pitfall.fix[self.lang].rstrip() if self.match else ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and self[:-1] == other[:-1]  # whatever gives the vocabulary

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.match, self.lang, self.paste))

    def __repr__(self) -> str:
        found = f"{self.match.id}, {self.match.probability:.2f}" if self.match else "no match"
        found = f"family {self.family.id}" if self.family else found
        found = f"likely {', '.join(match.id for match in self.likely)}" if self.likely else found
        here = self.here
        return f"<Answer: {found}{f', {here.place}' if here else ''}>"

    def __str__(self) -> str:
        return str(_rendering().text(self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows on a terminal."""
        printer.text(str(self))

    def _repr_markdown_(self) -> str:
        return str(_rendering().markdown(self))

    def _repr_html_(self) -> str:
        return str(_rendering().html(self))

    def __rich__(self) -> object:
        shown: object = _rendering().rich(self)
        return shown

    def to_dict(self) -> JSONObject:
        """The documented JSON form (answer.schema.json)."""
        data: JSONObject = _rendering().as_json(self)
        return data

    @property
    def found(self) -> bool:
        """Whether the knowledge base answers the text: with an entry, a family, or the likely ones."""
        return self.match is not None or self.family is not None or bool(self.likely)

    @property
    def root(self) -> Found | None:
        """The error that leads, as found in the text."""
        return self.paste.root

    @property
    def here(self) -> UserFrame | None:
        """The user's own innermost line of the traceback; None where the text has none."""
        return here_of(self.paste)

    @property
    def package(self) -> Package | None:
        """The package whose line failed; None where it is the user's own code or torch."""
        return package_of(self.paste)

    @property
    def wrappers(self) -> tuple[Found, ...]:
        """Errors in the text that only carry the root."""
        return tuple(
            error for error in self.paste.errors if error.role == "wrapper" and error is not self.paste.root
        )


def rival_of(match: Match | None, candidates: Sequence[Match]) -> Match | None:
    """The candidate that cannot be told from the match, if there is one."""
    near = (
        match is not None and len(candidates) > 1 and candidates[1].probability >= CLOSE * match.probability
    )
    return candidates[1] if near else None


class Section(NamedTuple):
    """One part of a reply. `kind`: title, why, fix, check, prove, sources, code, ...; `body` is Markdown."""

    kind: str
    title: str
    body: str
    entry: str | None = None

    @property
    def markdown(self) -> str:
        return f"## {self.title}\n\n{self.body}" if self.title else self.body


class Reply(NamedTuple):
    """What was understood (`intent`) and what is said. `found`: whether the knowledge base had something to
    say.

    `action` is `confirm` where the user asked for a proof: whoever shows the reply may run it.
    """

    intent: str
    sections: tuple[Section, ...]
    found: bool = True
    action: str | None = None

    @property
    def markdown(self) -> str:
        return "\n\n".join(section.markdown for section in self.sections) + "\n"


class Rewritten(NamedTuple):
    """A model's words: Markdown without control characters, the model, its host, and the entries that it was
    given.
    """

    text: str
    model: str
    host: str
    entries: tuple[str, ...]

    def as_json(self) -> JSONObject:
        return {"text": self.text, "model": self.model, "host": self.host, "entries": list(self.entries)}

    def mark(self, lang: str) -> str:
        """The sentence that says whose words they are."""
        return phrase(
            "rewritten",
            lang,
            model=quoted(escaped(self.model)),
            host=quoted(escaped(self.host)),
            entries=", ".join(self.entries),
        )

    def markdown(self, lang: str) -> str:
        """The words under their mark."""
        return f"> {self.mark(lang)}\n\n{self.text}\n"


def _rendering() -> ModuleType:
    """How an answer is shown: by name, when it first is, since it knows the pages that an answer does not."""
    return import_module("torchwhy.answers.render")
