"""The law of guesses: what a message does not say is not said as if it did.

Behind a fact and a colon, causes that are joined by "or" are what the author thought of: another one may be
at work. Such a sentence says "mostly" (多半), or "either" where there is no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from torchwhy.knowledge.entry import Pitfall, Problem
from torchwhy.knowledge.texts import file_of

SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"0-9])")
ASIDE = re.compile(r"`[^`]*`|\([^()]*\)")
# What tells a cause: a verb that states. What takes it back, or asks, advises or decides by a condition.
STATED = re.compile(
    r"\b(?:was|were|is|are|has|have|had|wrote|broke|did|lost|ran|failed|dropped|removed|started|selected|wants)\b"
)
OPEN = re.compile(
    r"(?i)\b(?:mostly|either|neither|often|usually|perhaps|probably|likely|rather|always|sometimes|mainly|may|"
    r"might|can|could|if|when|where|whether|unless|until|without|suspect|look|then|as a rule|one of)\b"
    r"|\?$"
)
ADVICE = re.compile(
    r"(?i)(?:^|: )(?:use|give|set|make|take|change|pad|install|add|enlarge|compare|count|see)\b"
)


def check_guesses(entry: Pitfall) -> Iterator[Problem]:
    """Causes that are listed as if there were no other."""
    for number, signature in enumerate(entry.signatures):
        for at, said in enumerate(signature.says):
            for sentence in SENTENCE_END.split(said.text["en"]):
                if is_closed_guess(sentence):
                    yield Problem(
                        file_of(entry),
                        f"signatures[{number}].says[{at}].en",
                        f"{sentence!r} lists causes as if there were no other",
                        '"mostly" (多半) behind the colon, or "either" where these are all',
                    )


def is_closed_guess(sentence: str) -> bool:
    """Whether a sentence states causes behind a colon, joined by "or", and leaves none open."""
    plain = ASIDE.sub("x", sentence.strip())
    causes = plain.partition(": ")[2]
    stated = ", or " in causes and STATED.search(causes) is not None
    return stated and not (OPEN.search(plain) or ADVICE.search(plain))
