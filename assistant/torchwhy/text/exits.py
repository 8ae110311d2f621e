"""The two ways by which a text leaves the screen: told to others, and kept for the user.

Both want a text whole, before anything is wrapped, folded or cut from it: half a token is not known as one,
nor is a value whose name stands on the line above. The time is linear in the text.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator
from functools import lru_cache, partial
from typing import Any

import re2

from .plain import harmless
from .token_forms import NAMED, TOKENS
from .whereabouts import COLONED, MARK, anonymous

HIDDEN = "..."
Span = tuple[int, int]

# --- told to others: what is known stays, everything else goes

CHUNK = re.compile(r"[^\s'\"`()\[\]{}<>,;|=:，。：；！？（）“”、《》【】]+")
PIECE = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+")
HAN = re.compile(r"[\u3400-\u9fff]")
NUMBER = re.compile(r"\d{1,6}(?:e\d{0,3})?|\d{1,5}(?:x\d{1,5})+|0x[0-9a-f]{1,4}", re.IGNORECASE | re.ASCII)
COUNTED = re.compile(r"(?:\d{1,6}([a-z]{1,14})|([a-z]{1,14})\d{1,4})\Z", re.ASCII)  # 16gb; conv2, float32
RAISED = re.compile(r"[A-Z][A-Za-z]{2,50}(?:Error|Exception|Warning|Interrupt|Exit)\Z")
ADDRESS = re.compile(r"(?<![\d.])(?!127\.|0\.0\.0\.0)\d{1,6}(?:[.-]\d{1,6}){3,}")
GROUPED = re.compile(
    rf"(?<![\w.])\d{{1,6}}([ .-])\d{{1,6}}(?:\1\d{{1,6}})+(?!\w)|{COLONED}", re.ASCII | re.IGNORECASE
)
ODD = re.compile(r"[!?#$^&~@%]")
MAX_GROUPED_DIGITS = 8  # as a date has: of a number that is written in groups, as a card's or a telephone's
MIN_WORD_CHARS = 3  # of a word that stays beside something that goes


def told_to_others(text: str, vocabulary: Collection[str] | None) -> str:
    """`text` for other people, agents and models: of its words only those of the vocabulary (see `words_of`),
    short numbers, shapes and the names of exceptions; whatever else is in it becomes `...`.

    Its lines stay as many as they were, but for private keys. None: secrets and this user's name alone go.
    """
    text = anonymous(kept(text))
    if vocabulary is None:
        return text
    text = GROUPED.sub(lambda found: found[0] if _is_short(found[0], vocabulary) else HIDDEN, text)
    return CHUNK.sub(partial(_told_chunk, vocabulary), text)


def words_of(text: str) -> set[str]:
    """The words by which `told_to_others` leaves a text like this one as it is."""
    words = {found[0] for found in GROUPED.finditer(text)}
    for chunk in {chunk.lower() for chunk in CHUNK.findall(text)}:
        if _is_odd(chunk):
            words.add(chunk)
        for piece in PIECE.findall(chunk):
            words |= _pairs(piece) if HAN.match(piece) else {piece, _uncounted(piece)}
    return words


def _is_short(grouped: str, vocabulary: Collection[str]) -> bool:
    digits = sum(map(str.isdigit, grouped))
    return grouped in vocabulary or (digits <= MAX_GROUPED_DIGITS and ":" not in grouped)


def _pairs(han: str) -> set[str]:
    return {han} if len(han) == 1 else {a + b for a, b in itertools.pairwise(han)}


def _uncounted(piece: str) -> str:
    """The word without its number: conv# for conv2, #gib for 16gib; the word itself where it has none."""
    return COUNTED.sub(lambda found: f"#{found[1]}" if found[1] else f"{found[2]}#", piece)


def _is_odd(chunk: str) -> bool:
    """Whether a chunk may be secret though each part of it is harmless: an address, `!!42$$`."""
    return bool(ADDRESS.search(chunk)) or (len(ODD.findall(chunk)) > 1 and bool(PIECE.search(chunk)))


def _is_known(piece: str, vocabulary: Collection[str]) -> bool:
    word = piece.lower()
    if word in vocabulary or f"<{word}>" == MARK or NUMBER.fullmatch(piece):
        return True
    if HAN.match(piece):
        return all(pair in vocabulary for pair in _pairs(piece))
    return _uncounted(word) in vocabulary or bool(RAISED.match(piece))


def _is_written(piece: str) -> bool:
    return piece.isalpha() and (piece.islower() or piece.isupper() or piece.istitle())


def _told_chunk(vocabulary: Collection[str], found: re.Match[str]) -> str:
    """A chunk, with a mark for what is not known in it; where that may have been drawn, also for numbers and
    the shortest words beside it.
    """
    chunk = found[0]
    pieces = [(piece, _is_known(piece[0], vocabulary)) for piece in PIECE.finditer(chunk)]
    if all(known for _, known in pieces):
        return HIDDEN if _is_odd(chunk) and chunk.lower() not in vocabulary else chunk
    is_name = all(known or _is_written(piece[0]) for piece, known in pieces)
    told, place, hides = [], 0, False
    for piece, known in pieces:
        between, word = chunk[place : piece.start()], piece[0]
        stays = known and (
            is_name or bool(HAN.match(word)) or (word.isalpha() and len(word) >= MIN_WORD_CHARS)
        )
        if stays or not hides:
            told += [ODD.sub("", between), word if stays else HIDDEN]
        place, hides = piece.end(), not stays
    return "".join([*told, ODD.sub("", chunk[place:])])


# --- kept for the user: secrets that are known by their form go

MIN_SECRET_CHARS, MIN_PASSWORD_CHARS = 8, 4
MAX_JUDGED_CHARS = 2000
# What stands in the place of a value and is none
NO_VALUE = re.compile(
    r"(?i)[<$*{%]|\.\.\.|x{4}|(?:none|null|true|false|str|string|optional|value|config)\b|your[_-]|"
    r"(?:os|args|self|cfg)\."
)
CALL = re.compile(r"[A-Za-z_][\w.]*[(\[]")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# Before a string of hexadecimal digits that names a version, and opens nothing
HASH = re.compile(
    rb"(?i)(?:commit|hash|sha\d*|rev(?:ision)?|digest|snapshots|blobs?|objects|head)[\s:=/'\"]{1,3}\Z"
)
RUN = re.compile(rb"[A-Za-z0-9+/_=.~-]{20,}")
# The beginning of a run that is none: a mangled name of C++, a path
NO_RUN = re.compile(r"_?_Z|/(?!/)")


def kept(text: str) -> str:
    """`text` without what is a secret by its form, and without characters that act or hide."""
    text = harmless(text).replace("\r", "\n")
    data = text.encode()
    spans = sorted([*_tokens(data), *_named(data), *_drawn(data)])
    if not spans:
        return text
    parts: list[bytes] = []
    place = 0
    for start, end in spans:
        if end > place:
            parts += [data[place:start], b"" if parts and start <= place else MARK.encode()]
            place = end
    return b"".join([*parts, data[place:]]).decode(errors="replace")


def kept_in(value: Any) -> Any:
    """A JSON value whose every text is `kept`."""
    if isinstance(value, str):
        return kept(value)
    if isinstance(value, list | tuple):
        return [kept_in(part) for part in value]
    return {name: kept_in(part) for name, part in value.items()} if isinstance(value, dict) else value


def holds_token(text: str) -> bool:
    """Whether what is known as a token without a name stands in the text."""
    data = text.encode("utf-8", "replace")
    return next(itertools.chain(_tokens(data), _drawn(data)), None) is not None


def _tokens(data: bytes) -> Iterator[Span]:
    """Spans of tokens that are known by their beginning, and of private keys."""
    for keyword, pattern in _token_patterns():
        if keyword in data:
            for match in pattern.finditer(data):
                yield match.span(match.lastindex or 0)


def _named(data: bytes) -> Iterator[Span]:
    """Spans of values that their names, or their places, give away."""
    lower = data.lower()
    for keywords, pattern, values in _named_patterns():
        if keywords and not any(keyword in lower for keyword in keywords):
            continue
        for match in pattern.finditer(data):
            start, end = match.span(match.lastindex or 0)
            quoted = data[start - 1 : start] in (b'"', b"'", b"`")
            value = data[start:end].decode(errors="ignore").rstrip("\\" if quoted else "\\)]}.:")
            if _is_secret(value, values, quoted):
                yield start, start + len(value.encode())


def _is_secret(value: str, values: str, quoted: bool) -> bool:
    if len(value) < MIN_PASSWORD_CHARS or NO_VALUE.match(value) or (not quoted and CALL.match(value)):
        return False
    shown = value[:MAX_JUDGED_CHARS]
    mixed = any(c.isdigit() for c in shown) and any(c.isalpha() for c in shown)
    if values == "any":
        return True
    if values == "mixed":
        return mixed
    plain = (shown.isalnum() and mixed and not COUNTED.match(shown.lower())) or UUID.fullmatch(shown)
    return len(value) >= MIN_SECRET_CHARS and (bool(plain) or any(map(_is_drawn, re.split(r"\W|_", shown))))


def _is_drawn(part: str) -> bool:
    """Whether letters, cases and digits change as often as they do by chance: in words they do not."""
    return len(part) >= MIN_SECRET_CHARS and _steps(part) * 4 >= max(len(part), 12)


def _steps(part: str) -> int:
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in part]
    return sum(one != other for one, other in itertools.pairwise(kinds))


def _share(part: str) -> float:
    return _steps(part) / len(part) if part else 0.0


def _drawn(data: bytes) -> Iterator[Span]:
    """Spans of long strings that nobody wrote, whatever service gave them out: in words and names letters,
    cases and digits change less often.
    """
    for match in RUN.finditer(data):
        run = match[0].decode()
        parts = [
            part
            for part in re.split(r"[^A-Za-z0-9]", run)
            if _share(part) >= (0.2 if part.isupper() else 0.3)
        ]
        if not parts or NO_RUN.match(run):
            continue
        chars, longest = "".join(parts), max(parts, key=len)
        if sum(map(str.isdigit, chars)) < 2:
            found = len(longest) >= 24 and _share(longest) >= 0.4
        elif chars.islower() or chars.isupper():
            start = match.start() + run.index(longest)
            is_hash = HASH.search(data, max(0, start - 20), start)
            found = len(longest) >= (16 if chars.isupper() else 24) and not is_hash
        else:
            found = len(chars) >= 16
        if found:
            yield match.span()


def compiled(pattern: str) -> re2._Regexp:
    """A pattern over UTF-8 bytes, in which ^ and $ are the ends of lines."""
    options = re2.Options()
    options.log_errors = False
    return re2.compile(f"(?m){pattern}", options)


@lru_cache(maxsize=1)
def _token_patterns() -> tuple[tuple[bytes, re2._Regexp], ...]:
    """(what such a token contains, its pattern)."""
    return tuple((keyword.encode(), compiled(pattern)) for keyword, pattern in TOKENS)


@lru_cache(maxsize=1)
def _named_patterns() -> tuple[tuple[tuple[bytes, ...], re2._Regexp, str], ...]:
    return tuple(
        (tuple(word.encode() for word in words), compiled(pattern), values)
        for words, pattern, values in NAMED
    )
