"""What of an answer, and of the text that it answers, is told to others: people, agents, models."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from torchwhy.paste.paste import is_prose
from torchwhy.text.exits import kept, told_to_others, words_of
from torchwhy.text.phrases import all_phrases
from torchwhy.text.whereabouts import anonymous

from .answer import Answer

Tell = Callable[[str], str]
LITERAL = re.compile(r"\"[^\"\n]*(?:\"|$)|'[^'\n]*(?:'|$)", re.MULTILINE)


def teller(answer: Answer, *, full: bool = False) -> Tell:
    """What every text that holds some of the user's goes through, whole, before others see it.

    The words of the knowledge base, of torchwhy's phrases, of the user's failing line and of its change are
    told, but for what a line has in quotation marks, which may be a secret of any form.

    A question in words, which somebody asked, is told but for secrets; so is all where `full`.
    """
    if full or is_question(answer):
        return lambda text: told_to_others(text, None)
    own = words_of(anonymous(kept(LITERAL.sub("''", "\n".join(own_lines(answer))))))
    known = answer.vocabulary().union(_words_of_phrases(all_phrases()), own)
    return lambda text: told_to_others(text, known)


@lru_cache(maxsize=1)
def _words_of_phrases(phrases: str) -> set[str]:
    return words_of(phrases)


def is_question(answer: Answer) -> bool:
    """Whether the text is sentences alone, without an error: somebody asks, and no program printed it."""
    lines = [line for line in answer.paste.lines if line.strip()]
    return answer.root is None and bool(lines) and all(map(is_prose, lines))


def own_lines(answer: Answer) -> list[str]:
    """The user's failing line with its place, the line as it is to be, and what the code was found to do."""
    here, change = answer.here, answer.change
    lines = [here.file, here.function, here.code] if here else []
    for edit in change.lines if change is not None else ():
        lines += [edit.file, edit.before, *edit.after.split("\n")]
    return lines + [part for each in answer.code or () for part in (each.path, each.text)]
