"""What is compared instead of raw text: numbers, shapes, paths and addresses become placeholders, on both
sides alike.

`for_meaning` is what is embedded; `tokens` is what lexical search indexes (Latin words with their parts,
Chinese as character pairs). A change here changes the index: raise VERSION.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from torchwhy.text.lazy_re import lazy_compile

from .glossary import translate

VERSION = 4
SHORT = 600  # characters up to which a text's terms are remembered

_ADDRESS = lazy_compile(r"0x[0-9a-fA-F]+")
_PATH = lazy_compile(r"(?:[A-Za-z]:)?(?:[\\/][\w.@+\- ]+){2,}|\b[\w.-]+(?:/[\w.@+-]+){2,}")
_URL = lazy_compile(r"https?://\S+")
_SHAPE = lazy_compile(
    r"\[\s*-?\d+(?:\s*[x,]\s*-?\d+)*\s*,?\]|\(\s*-?\d+(?:\s*[x,]\s*-?\d+)+\s*,?\)|\b\d+x\d+(?:x\d+)*\b"
)
# A number, or a name that holds one (float32, sm_90, python3.11), which tells more than the number alone.
_NUMBER = lazy_compile(r"([A-Za-z_]\w*(?:\.\d+)*)|[-+]?\d[\d,]*(?:\.\d+)*(?:e[+-]?\d+)?")
_LONG_NUMBER = lazy_compile(r"\d{4,}")  # in a name: a process, a run
_SPACE = lazy_compile(r"\s+")
_WORD = lazy_compile(r"[A-Za-z_][A-Za-z0-9_]*|[\u3400-\u9fff]+|\d+")
_ASCII_WORD = lazy_compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+")  # the same, compiled in a tenth of the time
_PARTS = lazy_compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
STOP = frozenset(
    """
    a an the of to in is it and or for on with at be by as i my me we you this that was are not no do
    does did so if but from have has had when then there here what which how can could will would should
    get got its just any some one all also after before into out up am file line please help thanks hi
    hello error runtimeerror python
    """.split()  # noqa: SIM905
)


def placeholders(text: str) -> str:
    """The text with addresses, URLs, paths, shapes and numbers replaced, and white space made single."""
    text = _URL.sub(" ", text)
    text = _ADDRESS.sub("ADDR", text)
    text = _PATH.sub(" PATH ", text)
    text = _SHAPE.sub(" SHAPE ", text)
    text = _NUMBER.sub(lambda found: _LONG_NUMBER.sub("N", found[1]) if found[1] else "N", text)
    return _SPACE.sub(" ", text).strip()


def for_meaning(text: str) -> str:
    """What the encoder reads: placeholders made words, Chinese terms followed by their English ones."""
    text = placeholders(text).replace("PATH", "path").replace("SHAPE", "shape").replace("ADDR", "address")
    english = translate(text)
    return f"{text} {english}".strip()[:1500] if english else text[:1500]


@lru_cache(1 << 16)
def stem(word: str) -> str:
    """A light English stemmer: plural, -ing, -ed and -ly are cut so that `freezing`, `freezes` and `freeze`
    meet.
    """
    for ending in ("ingly", "edly", "ing", "ies", "ied", "ed", "es", "ly", "s", "e"):
        if (
            word.endswith(ending)
            and len(word) - len(ending) >= 3
            and not (ending == "s" and word.endswith("ss"))
        ):
            word = word[: -len(ending)] + ("y" if ending in ("ies", "ied") else "")
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word


def tokens(text: str) -> Iterator[str]:
    """Index terms of a text, in order: stems, identifiers whole and in parts, pairs of Chinese characters."""
    text = placeholders(text)
    for found in (_ASCII_WORD if text.isascii() else _WORD).finditer(text):
        word = found[0]
        if "\u3400" <= word[0] <= "\u9fff":
            if len(word) == 1:
                yield word
            for at in range(len(word) - 1):
                yield word[at : at + 2]
            continue
        lower = word.lower()
        if lower in STOP or lower in ("n", "path", "shape", "addr"):
            continue
        yield stem(lower) if lower.isalpha() else lower
        parts = _PARTS.findall(word)
        if len(parts) > 1:
            for part in parts:
                if len(part) > 1 and part.lower() not in STOP and not part.isdigit():
                    yield stem(part.lower())


def all_tokens(text: str) -> list[str]:
    """`tokens`, with the English of Chinese terms added so that both languages meet in one index."""
    return list(_short(text)) if len(text) < SHORT else _all_tokens(text)


@lru_cache(1 << 15)
def _short(text: str) -> tuple[str, ...]:
    """A passage is indexed as a line, as part of its entry and for naive Bayes: its terms are worked out
    once.
    """
    return tuple(_all_tokens(text))


def _all_tokens(text: str) -> list[str]:
    result = list(tokens(text))
    english = translate(text)
    if english:
        result += list(tokens(english))
    return result
