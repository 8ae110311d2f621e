"""`torchwhy kb check`: every rule of a knowledge base that can be checked without running a script.

The tests call the same functions.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from torchwhy.knowledge.entry import Pitfall, Problem
from torchwhy.knowledge.family import Family
from torchwhy.knowledge.files import ASKS_FILES, FAMILIES_FOLDER, LANGUAGES_FILE
from torchwhy.knowledge.load import Knowledge, load_knowledge
from torchwhy.knowledge.texts import file_of, texts_of
from torchwhy.knowledge.wordings import Wordings
from torchwhy.text.language import LANGS, Lang

from .asked_names import check_asked_names
from .code_blocks import check_code_blocks
from .coincidence import check_coincidence
from .edit_rules import check_edits
from .example_records import check_records
from .guesses import check_guesses
from .law import check_law
from .neighbours import check_neighbours
from .release_claims import check_release_claims
from .same_in_both import check_same_in_both
from .script_rules import check_imports, check_shape
from .tables import check_tables
from .untouched import check_untouched

HAN = "\u4e00-\u9fff"
UNSPACED = re.compile(rf"[{HAN}][A-Za-z0-9]|[A-Za-z0-9][{HAN}]")
HALF_WIDTH = re.compile(rf"[{HAN}][,;:?!](?:\s|[{HAN}]|$)|[{HAN}]\.(?:\s|$)")
CODE = re.compile(r"```.*?```|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|https?://\S+", re.DOTALL)
COPY_OVERLAP = 0.8  # share of words that two questions may have in common before they count as copies
MAX_ROWS_OF_WORD = 200  # questions that are compared for one rare word; of the shipped ones 19 share one
MAX_EXAMPLE_CHARS = 160  # of another entry's example, in a problem
SPACED, FULL_WIDTH = "a space between 汉字 and Latin letters or digits", "full-width punctuation after 汉字"
CONTEXT_CHARS = 8  # characters shown on each side of a slip in Chinese typography


class Copy(NamedTuple):
    """Two questions that are near-copies of one another; `id` is the entry that stands later."""

    lang: Lang
    id: str
    line: str
    other_id: str
    other_line: str


class Base:
    """A loaded knowledge base, with what several rules share made when the first of them asks for it.

    `selected`: the ids that are checked.
    """

    def __init__(self, knowledge: Knowledge, selected: Collection[str]) -> None:
        self.knowledge = knowledge
        self.pitfalls = knowledge.pitfalls
        self.selected = frozenset(selected)

    @cached_property
    def wordings(self) -> Wordings:
        return Wordings.of(self.pitfalls.values())

    @cached_property
    def copies(self) -> list[Copy]:
        return list(find_copies(self.pitfalls))


class EntryRule(NamedTuple):
    """What must hold of an entry, and its problems where that does not hold."""

    holds: str
    problems: Callable[[Pitfall, Base], Iterable[Problem]]


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check looked at, and every problem that it found."""

    entries: int
    rules: int
    problems: tuple[Problem, ...]


def check(
    roots: Iterable[Path], documents: Mapping[str, Any], only: Collection[str] | None = None
) -> Checked:
    """Check the entries of the knowledge bases; with `only`, those of these ids, still against all the
    others.
    """
    knowledge = load_knowledge(roots, documents)
    problems = [problem for problem in knowledge.problems if only is None or id_of(problem) in only]
    broken = {id_of(problem) for problem in problems}
    # which says why texts in one language are not enough
    problems = [each for each in knowledge.problems if each.file.endswith(f"/{LANGUAGES_FILE}")] + problems
    entries = [entry for entry in knowledge.pitfalls.values() if only is None or entry.id in only]
    base = Base(knowledge, {entry.id for entry in entries})
    for entry in entries:
        untouched = check_untouched(entry)
        problems += untouched
        for rule in () if untouched else RULES:
            problems += rule.problems(entry, base)
    for family in knowledge.families.values():
        if only is None or set(family.members) & base.selected:
            problems += check_family(family)
    count = len(LOADING_RULES) + len(RULES) + len(FAMILY_RULES)
    return Checked(len(base.selected | broken), count, tuple(dict.fromkeys(problems)))


def id_of(problem: Problem) -> str:
    """The id of the entry that a problem belongs to."""
    return problem.file.split("/")[1].removesuffix(".yaml")


def check_look_alikes(entry: Pitfall, base: Base) -> list[Problem]:
    """Look-alikes that name no entry, or the entry itself."""
    return [problem for problem in base.knowledge.dangling if problem.file == file_of(entry)]


def check_claims(entry: Pitfall, base: Base) -> Iterator[Problem]:
    """The law of claims: every entry that claims an example is its owner or a declared look-alike."""
    allowed = {entry.id, *(pair.id for pair in entry.look_alikes)}
    for number, signature in enumerate(entry.signatures):
        for other in sorted(base.wordings.claimants(signature.example) - allowed):
            field, found = f"signatures[{number}].example", f"an example that {other} claims too"
            yield Problem(file_of(entry), field, found, remedies(other))


def check_claims_on_others(entry: Pitfall, base: Base) -> Iterator[Problem]:
    """The same law the other way round: this entry's patterns on the examples of entries that are not checked
    now.
    """
    allowed = {entry.id, *(pair.id for pair in entry.look_alikes)} | set(base.selected)
    own = Wordings.of([entry])
    for other in base.pitfalls.values():
        if other.id in allowed:
            continue
        for signature in other.signatures:
            for claim in own.claims(signature.example):
                example = " ".join(signature.example.split())[:MAX_EXAMPLE_CHARS]
                field, found = (
                    f"signatures[{claim.number}].pattern",
                    f"a claim on {other.id}'s example {example!r}",
                )
                yield Problem(file_of(entry), field, found, remedies(other.id))


def remedies(other: str) -> str:
    """What to do where two entries claim one message."""
    return (
        f"one of three: a narrower pattern; {other} under look_alikes, if users confuse the two;"
        f" or, if it is the same mistake, your wording added to {other} and no entry of its own"
    )


def check_spacing(entry: Pitfall, base: Base) -> Iterator[Problem]:
    """Chinese typography outside code: a space between 汉字 and Latin words or digits."""
    return _slips(entry, UNSPACED, SPACED)


def check_punctuation(entry: Pitfall, base: Base) -> Iterator[Problem]:
    """Chinese typography outside code: full-width punctuation."""
    return _slips(entry, HALF_WIDTH, FULL_WIDTH)


def _slips(entry: Pitfall, slip: re.Pattern[str], wanted: str) -> Iterator[Problem]:
    """The first slip in each Chinese text of an entry."""
    texts = {field: text.zh for field, text in texts_of(entry)}
    for field, around in _slips_in(texts, slip):
        yield Problem(file_of(entry), f"{field}.zh", around, wanted)


def _slips_in(texts: Mapping[str, str], slip: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """(the field, what stands there) of the first slip in each text."""
    for field, text in texts.items():
        prose = CODE.sub(" ", re.sub(r"\{[^{}]*\}", " ", text))
        match = slip.search(prose)
        if match:
            around = prose[max(0, match.start() - CONTEXT_CHARS) : match.end() + CONTEXT_CHARS]
            yield field, repr(around.replace("\n", " "))


def check_family(family: Family) -> Iterator[Problem]:
    """What must hold of a family beyond its fields: its Chinese typography, and that each member can win."""
    file = f"{FAMILIES_FOLDER}/{family.id}.yaml"
    texts = {"title": family.title.zh, "about": family.about.zh}
    for number, check in enumerate(family.checks):
        texts[f"checks[{number}].ask"] = check.ask.zh
        texts |= {
            f"checks[{number}].answers[{at}].label": answer.label.zh
            for at, answer in enumerate(check.answers)
            if answer.label
        }
    for slip, wanted in ((UNSPACED, SPACED), (HALF_WIDTH, FULL_WIDTH)):
        for field, around in _slips_in(texts, slip):
            yield Problem(file, f"{field}.zh", around, wanted)
    raised = {id for check in family.checks for answer in check.answers for id in answer.raises}
    for id in family.members:
        if id not in raised:
            yield Problem(file, "members", id, "a member that some answer makes more likely")


def check_questions(entry: Pitfall, base: Base) -> Iterator[Problem]:
    """No question is a near-copy of another one, in the same entry or in another."""
    for copy in base.copies:
        if copy.id == entry.id:
            line, other_line, other = copy.line, copy.other_line, copy.other_id
        elif copy.other_id == entry.id and copy.id not in base.selected:
            line, other_line, other = copy.other_line, copy.line, copy.id
        else:
            continue
        file, wanted = file_of(entry, ASKS_FILES[copy.lang]), f"one unlike {other_line!r} of {other}"
        yield Problem(file, f"asks.{copy.lang}", line, wanted)


def find_copies(pitfalls: Mapping[str, Pitfall]) -> Iterator[Copy]:
    """Every pair of questions that share COPY_OVERLAP of their words.

    Two sets with that overlap share one of the rarest words of each, so only pairs that do are compared.
    """
    for lang in LANGS:
        rows = [(entry.id, line, shingles(line)) for entry in pitfalls.values() for line in entry.asks[lang]]
        frequency = Counter(word for *_, words in rows for word in words)
        rows_of_word: dict[str, list[int]] = {}
        for number, (id, line, words) in enumerate(rows):
            by_rarity = sorted(words, key=lambda word: (frequency[word], word))
            rare = by_rarity[: len(words) - math.ceil(COPY_OVERLAP * len(words)) + 1]
            for earlier in sorted({row for word in rare for row in rows_of_word.get(word, ())}):
                other_id, other_line, other_words = rows[earlier]
                if len(words & other_words) / len(words | other_words) >= COPY_OVERLAP:
                    yield Copy(lang, id, line, other_id, other_line)
            for word in rare:
                if len(rows_of_word.setdefault(word, [])) < MAX_ROWS_OF_WORD:
                    rows_of_word[word].append(number)


def shingles(text: str) -> frozenset[str]:
    """Words of a Latin text, pairs of characters of a Chinese one: what near-copies share."""
    text = text.lower()
    words = set(re.findall(r"[a-z0-9_.]+", text))
    for run in re.findall(f"[{HAN}]+", text):
        words |= {run[start : start + 2] for start in range(max(1, len(run) - 1))}
    return frozenset(words)


def _neighbours(entry: Pitfall, base: Base) -> Iterable[Problem]:
    return check_neighbours(entry, base.pitfalls, base.wordings, base.selected)


FAMILY_RULES = (
    "every member of a family is an entry",
    "a family's checks tell its members apart",
    "a family's Chinese as the entries'",
)
LOADING_RULES = (
    "nothing of the template's",
    "no unknown file",
    "every field as the schema wants it",
    "an id that stands once",
)
RULES = (
    EntryRule("every look-alike is an entry", check_look_alikes),
    EntryRule("no other entry claims its examples", check_claims),
    EntryRule("it claims no other entry's example", check_claims_on_others),
    EntryRule("a neighbour's line that it must not match", _neighbours),
    EntryRule("a space between Chinese and Latin", check_spacing),
    EntryRule("full-width punctuation in Chinese", check_punctuation),
    EntryRule("no question is a copy", check_questions),
    EntryRule("what a question names is spoken of", lambda entry, base: check_asked_names(entry)),
    EntryRule("since a release that is on record", lambda entry, base: check_release_claims(entry)),
    EntryRule("no guess said as all there is", lambda entry, base: check_guesses(entry)),
    EntryRule("a script with broken(), fixed() and a guarded main", lambda entry, base: check_shape(entry)),
    EntryRule("a script that imports what the entry names", lambda entry, base: check_imports(entry)),
    EntryRule("functions of edit.py that only read", lambda entry, base: check_edits(entry)),
    EntryRule("no coincidence of sizes said as a fact", lambda entry, base: check_coincidence(entry)),
    EntryRule("Python that parses and names what it uses", lambda entry, base: check_code_blocks(entry)),
    EntryRule("the same code and numbers in both languages", lambda entry, base: check_same_in_both(entry)),
    EntryRule("shared tables as they stand", lambda entry, base: check_tables(entry)),
    EntryRule("a witness that the law of changes counts", lambda entry, base: check_law(entry)),
    EntryRule("records that say where each example was printed", lambda entry, base: check_records(entry)),
)
