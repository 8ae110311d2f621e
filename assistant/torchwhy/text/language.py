"""Which language to answer in: Chinese as soon as the user's own words are Chinese."""

from __future__ import annotations

import locale
import os
import re
from typing import Literal, NamedTuple

from .lazy_re import lazy_compile

HAN = lazy_compile(r"[\u3400-\u9fff]")
KANA = lazy_compile(r"[\u3041-\u30ff]")


def language_of(text: str) -> str:
    """`zh` if the text holds a Chinese phrase, else `en`. A stray character in a path does not count, nor
    does Japanese, which some programs print beside their English.
    """
    head = text[:4000] + "\n" + text[-4000:]
    if head.isascii():  # as most are: a class of 30,000 characters takes a millisecond to compile
        return "en"
    if KANA.search(head):
        lines = [line for line in head.splitlines() if not KANA.search(line)]
        head = "\n".join(line for line in lines if not all(map(_is_japanese, HAN.findall(line))))
    return "zh" if len(HAN.findall(head)) >= 3 else "en"


def _is_japanese(character: str) -> bool:
    """Whether Japanese writes it too: most simplified characters it does not."""
    try:
        character.encode("shift_jis")
    except UnicodeEncodeError:
        return False
    return True


def choose(lang: str, text: str) -> str:
    """The language to answer in: as told (`en`, `zh`), or for `auto` the paste's, else the locale's."""
    if lang in ("en", "zh"):
        return lang
    if not text.isascii() and HAN.search(text) and language_of(text) == "zh":
        return "zh"
    words = re.sub(r"[^A-Za-z]+", " ", text).split()
    if (
        len(words) >= 12
        and " ".join(words).count("Traceback") == 0
        and not re.search(r"Error|Warning|Exception", text)
    ):
        return "en"  # a question in English words: answer in kind, whatever the locale
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    told = next((name for name in names if name), "") or (locale.getlocale()[0] or "")
    return "zh" if told.lower().startswith(("zh", "chinese")) else "en"


Lang = Literal["en", "zh"]
LANGS: tuple[Lang, Lang] = ("en", "zh")


class Bilingual(NamedTuple):
    """One text in English and in Chinese."""

    en: str
    zh: str

    def __getitem__(self, lang: str) -> str:  # type: ignore[override]
        return self.zh if lang == "zh" else self.en
