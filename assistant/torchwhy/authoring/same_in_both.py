"""The law of two originals: English and Chinese name the same code, numbers and releases.

What one language has and the other has not was forgotten in a mend. Small whole numbers are left out: English
writes them in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from torchwhy.knowledge.entry import Pitfall, Problem
from torchwhy.knowledge.texts import FENCED, SPAN, file_of, prose_of, texts_of

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)*(?![\w])", re.ASCII)
SMALL = frozenset(map(str, range(13)))
COMMENT = re.compile(r"#.*|//.*|\s+")
PLACEHOLDER = re.compile(r"\{\w+\}")
WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
WRAPPERS = frozenset(("print",))  # `print(x)` is "打印 `x`"
HAN = re.compile("[\u4e00-\u9fff]")


def check_same_in_both(entry: Pitfall) -> Iterator[Problem]:
    """What one language names and the other does not, text by text."""
    for field, text in texts_of(entry):
        for lang, here, there in (("zh", text.zh, text.en), ("en", text.en, text.zh)):
            missing = identifiers(there) - set(WORD.findall(here))
            missing |= numbers(there) - numbers(here)
            missing |= set(PLACEHOLDER.findall(there)) - set(PLACEHOLDER.findall(here))
            for found in sorted(missing):
                wanted = f"{found} here too, or in neither language"
                yield Problem(file_of(entry), f"{field}.{lang}", f"no {found}", wanted)
        if statements(text.en) != statements(text.zh):
            wanted = "the same code in both languages; comments and the reader's own words may differ"
            yield Problem(file_of(entry), f"{field}.zh", "fenced code unlike the English one", wanted)


def identifiers(markdown: str) -> set[str]:
    """The names in backticks outside fences; a span with Chinese in it is prose in code's clothes."""
    prose = re.sub(r"(?<!\n)\n(?!\n)", " ", prose_of(markdown))  # a span may go over a line's end
    spans = [span for span in SPAN.findall(prose) if not HAN.search(span)]
    return {word for span in spans for word in WORD.findall(span)} - WRAPPERS


def numbers(markdown: str) -> set[str]:
    """Numbers and releases of the prose, small whole ones left out; 3x224 are two, 49 000 and 49,000 one."""
    prose = SPAN.sub(" ", prose_of(markdown)).replace("`", " ")
    prose = re.sub(r"(?<=\d)[x×](?=\d)", " ", re.sub(r"(?<=\d)[ ,](?=\d{3}\b)", "", prose))
    return set(NUMBER.findall(prose)) - SMALL


def statements(markdown: str) -> list[str]:
    """The fenced code without comments, spaces and Chinese."""
    blocks = [found["code"] for found in FENCED.finditer(markdown) if found["language"] in ("python", "bash")]
    return [COMMENT.sub("", block) for block in blocks]
