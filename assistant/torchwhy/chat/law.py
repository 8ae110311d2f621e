"""The law: no reply goes against what the user is understood to have said.

A sentence contradicts an entry where it says that something was done, failed or is not so, and is like what
others say who rule that entry out (`statements.txt`; where nobody has, like its remedies): one fitted sum
(`fit_law`). Whether a sentence names one remedy of several is told by rare words: it holds
most of the remedy's leading sentence or of one of its telling lines of code, or most of its own words are the
remedy's. How the sentence is meant is read from what else it says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from torchwhy.answers.answer import Answer, Section
from torchwhy.knowledge.entry import Pitfall
from torchwhy.retrieval.tokens import all_tokens
from torchwhy.text.language import LANGS
from torchwhy.text.phrases import phrase

from .clauses import shortened
from .excerpts import COMMON_TOKENS, NEARLY_ALL_SHARE, ExcerptFinder
from .likeness import Likeness
from .polarity import TRIED, Statement, read_polarity
from .sections import blocks, note

WEIGHTS = Path(__file__).with_name("law.json")
SAYINGS = Path(__file__).with_name("statements.txt")
PROPOSING = frozenset(["change", "fix", "code", "short"])  # kinds of sections that propose remedies
LISTING = frozenset(["members", "others", "nearest"])  # kinds of sections that list entries
MIN_SURE = 0.5  # of how a sentence is read, where there are no vectors
MIN_CONTRADICTION = 1.25  # the fitted sum, from which a sentence contradicts an entry
# Replies that quote what an entry says of a thing: of a remedy that was tried, why it is no cure.
QUOTING = frozenset(["passage", "guess", "what_if"])
MIN_WEIGHT = 2.0  # IDF weight of the words that a sentence and a remedy share
MIN_SHARE = 0.6  # of the words of a sentence, or of a remedy's head, that both have
MIN_CAUSE_SHARE = 0.6  # of a line of code's words, that the entry's title and cause hold, where it tells
MIN_HEAD_WEIGHT = 2.0

_FENCED = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.;:])\s+|(?<=[。；：])|\n")
_ITEM = re.compile(r"^ *(?:\d+\.|-) \*\*(?P<id>[\w-]+)\*\*.*", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_][\w.]*|[\u3400-\u9fff]+")
_SET = re.compile(
    r"\b\w+(?==[^=\s])"
)  # what a line of code sets: a keyword's argument, a variable of a shell
Pitfalls = Callable[[str], Pitfall]


class Remedy(NamedTuple):
    """A paragraph of a fix. `words` name it; `heads` are those of its first sentences and telling lines."""

    text: str
    words: frozenset[str]
    heads: tuple[frozenset[str], ...]


class Law:
    """Compares what is proposed with what was said."""

    def __init__(self, finder: ExcerptFinder, likeness: Likeness) -> None:
        self._finder, self._likeness = finder, likeness
        self._known: dict[tuple[str, str], Remedy] = {}

    def contradicts(self, statement: Statement, entry: Pitfall) -> bool:
        """Whether a sentence says that an entry is not the cause."""
        features = self.contradiction(statement, entry)
        if not features:
            surely = statement.read.polarity in TRIED and statement.read.probability >= MIN_SURE
            return surely and self.tried([statement], entry) is not None
        return contradicting(features) >= MIN_CONTRADICTION

    def contradiction(self, statement: Statement, entry: Pitfall, without: str = "") -> tuple[float, ...]:
        """What tells it; () where there are no vectors. `without`: a saying that is left out."""
        own = [text for kind, text in sayings().get(entry.id, ()) if kind != "is" and text != without]
        opposing = own or [_lead(block) for lang in LANGS for block in blocks(entry.fix[lang])]
        near = max(self._likeness.cosines(statement.text, opposing), default=None)
        if near is None:
            return ()
        shares = statement.read.shares or {statement.read.polarity: 1.0}
        tried = sum(shares.get(each, 0.0) for each in TRIED)
        said = (1.0, tried, shares.get("not", 0.0), shares.get("helped", 0.0))
        return (*said, *(share * near for share in said))

    def tried(self, statements: Iterable[Statement], entry: Pitfall, block: str = "") -> Statement | None:
        """The sentence that says that this paragraph, or else the first of the entry's fix, was tried."""
        remedy = self._remedy(entry, block or blocks(entry.fix.en)[0])
        return next((each for each in statements if self._names(each, remedy)), None)

    def kept(
        self,
        answer: Answer,
        statements: Sequence[Statement],
        against: Mapping[str, Statement],
        entry_of: Pitfalls,
    ) -> Answer:
        """The answer with what may have been tried already at its end, under the sentence that says so; what
        may rule an entry out stands beside it.
        """
        reply = answer.reply
        if reply is None or not statements:
            return answer
        quoted, against = reply.intent in QUOTING, dict(against)
        parts: list[Section] = []
        last: list[Section] = []
        for section in reply.sections:
            if answer.match and section.entry == answer.match.id in against:
                did = shortened(against.pop(section.entry))
                parts.append(note("say_contradicted", answer.lang, did=did, id=section.entry))
            if section.kind in LISTING:
                section = section._replace(body=_marked(section.body, against, answer.lang))
            if section.kind not in PROPOSING or not section.entry:
                parts.append(section)
                continue
            entry = entry_of(section.entry)
            first = blocks(entry.fix[answer.lang])[0]
            left, tried = [], []
            for block in blocks(section.body):
                asked = block == first or not quoted
                did_it = self.tried(statements, entry, block) if asked else None
                if did_it:
                    tried += [phrase("say_did", answer.lang, did=shortened(did_it)), block]
                else:
                    left.append(block)
            (parts if left else last).append(section._replace(body="\n\n".join([*left, *tried])))
        return answer._replace(reply=reply._replace(sections=(*parts, *last)))

    def _names(self, statement: Statement, remedy: Remedy) -> bool:
        """Whether a sentence says that a remedy was tried."""
        words = rare_words(statement.text)
        pairs = [(words, remedy.words), *((head, words) for head in remedy.heads)]
        named = any(
            self._share(one, other) >= MIN_SHARE and self._weight(one & other) >= MIN_WEIGHT
            for one, other in pairs
        )
        if not named and all(self._share(head, words) < NEARLY_ALL_SHARE for head in remedy.heads):
            return False
        return (
            _is_tried(statement.text)
            or statement.read.polarity in TRIED
            or _rest_is_tried(statement.text, remedy)
        )

    def _share(self, words: frozenset[str], others: frozenset[str]) -> float:
        return self._weight(words & others) / (self._weight(words) or 1.0)

    def _weight(self, words: Iterable[str]) -> float:
        return sum(map(self._finder.idf, words))

    def _remedy(self, entry: Pitfall, block: str) -> Remedy:
        if (entry.id, block) not in self._known:
            own = {lang: blocks(entry.fix[lang]) for lang in LANGS}
            at = next((own[lang].index(block) for lang in LANGS if block in own[lang]), None)
            texts = [block] if at is None else [own[lang][at] for lang in LANGS if at < len(own[lang])]
            self._known[entry.id, block] = self._read(texts, entry)
        return self._known[entry.id, block]

    def _read(self, texts: Sequence[str], entry: Pitfall) -> Remedy:
        cause = rare_words("\n".join(f"{entry.title[lang]}\n{entry.cause[lang]}" for lang in LANGS))
        words: set[str] = set()
        heads = []
        for text in texts:
            lines = [
                rare_words(line.partition("#")[0])
                for code in _FENCED.findall(text)
                for line in code.splitlines()
            ]
            prose = [
                rare_words(part) for part in _SENTENCE_END.split(_FENCED.sub("\n", text)) if part.strip()
            ]
            words.update(*prose, *(line & cause for line in lines), *map(rare_words, _SET.findall(text)))
            heads += [*prose[:1], *(line for line in lines if self._share(line, cause) >= MIN_CAUSE_SHARE)]
            heads += [head | line for head in prose[:1] for line in lines]
        kept = (head for head in heads if self._weight(head) >= MIN_HEAD_WEIGHT)
        return Remedy(
            "\n".join(texts).lower(), frozenset(words), tuple(dict.fromkeys(kept)) or (frozenset(words),)
        )


def contradicting(features: Sequence[float]) -> float:
    """The fitted sum of what tells a contradiction."""
    return sum(weight * value for weight, value in zip(_weights(), features, strict=True))


@cache
def _weights() -> Sequence[float]:
    read: Sequence[float] = json.loads(WEIGHTS.read_text("utf-8"))
    return read


@cache
def sayings() -> Mapping[str, Sequence[tuple[str, str]]]:
    """What users say of entries: by id, (is, done, failed or not; sentence)."""
    result: dict[str, list[tuple[str, str]]] = {}
    for part in SAYINGS.read_text("utf-8").split("\n== ")[1:]:
        id, *lines = part.splitlines()
        result[id] = [(kind, text) for kind, _, text in (line.partition(": ") for line in lines if line)]
    return result


def _lead(block: str) -> str:
    """A block's first sentence."""
    return _SENTENCE_END.split(_FENCED.sub("\n", block).strip() or block)[0]


def _marked(body: str, against: Mapping[str, Statement], lang: str) -> str:
    """A list of entries; beside each what the user wrote against it."""

    def mark(item: re.Match[str]) -> str:
        said = against.get(item["id"])
        return item[0] + (phrase("said_against", lang, did=shortened(said)) if said else "")

    return _ITEM.sub(mark, body)


def rare_words(text: str) -> frozenset[str]:
    """A text's words without the common ones."""
    return frozenset(all_tokens(text)) - COMMON_TOKENS


def _is_tried(text: str) -> bool:
    return read_polarity(text).polarity in TRIED


def _rest_is_tried(text: str, remedy: Remedy) -> bool:
    """Whether a sentence says that something was tried, by its words beside the remedy's."""
    rests = (
        _WORD.sub(lambda found: _without(found[0], remedy.words), text),
        _WORD.sub(lambda found: "" if found[0].lower() in remedy.text else found[0], text),
    )
    return any(map(_is_tried, rests))


def _without(run: str, words: frozenset[str]) -> str:
    """A word, or a run of Chinese characters, without what the remedy says as well."""
    if run.isascii():
        return "" if rare_words(run) & words else run
    pairs = [run[at : at + 2] in words for at in range(len(run))]
    return "".join(each for at, each in enumerate(run) if not (pairs[at] or (at and pairs[at - 1])))
