"""The law of coincidence: a number is no fact without a context.

"512 against 1024: the text is longer than BERT's positions" was said of a residual block, and "4 against 3:
RGBA" of two vectors. So a statement whose condition holds a literal size, or compares two sizes, either
belongs to a signature with a `context` that supports it, or says what it says as one possibility.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from torchwhy.knowledge.conditions import Comparison, comparisons, quantity
from torchwhy.knowledge.entry import Pitfall, Problem
from torchwhy.knowledge.patterns import groups_of
from torchwhy.knowledge.texts import file_of

POSSIBLE = {
    "en": re.compile(
        r"\b(?:if|unless|whether|where|may|might|can|could|perhaps|possibly|probably|likely|often|usually|mostly"
        r"|sometimes|typically)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile("如果|若|除非|可能|也许|或许|多半|通常|往往|一般|有时|大概|常|是否|的话|要是"),
}
# Groups whose number names something: an exit status, a driver's error, a compute capability, the first byte
# of a file, the place of an argument or an output. Its meaning is defined, no coincidence.
NAMING_GROUPS = frozenset(("code", "xid", "byte", "gpu", "element", "at", "found", "output"))
# A group that opens with digits is a size; one that lists its values, as (?P<bits>32|64), is a choice.
SIZE_GROUP = re.compile(r"\(\?P?<(\w+)>(?:\[?[+-]*\]?\??)?(?:\\d|\[[^\]]*\\d)")


def check_coincidence(entry: Pitfall) -> Iterator[Problem]:
    """Statements that read a coincidence of sizes as a fact."""
    for number, signature in enumerate(entry.signatures):
        if signature.context:
            continue
        for at, says in enumerate(signature.says):
            compared = [
                each for each in comparisons(says.when or "a == none") if _of_sizes(each, signature.pattern)
            ]
            sure = [lang for lang, words in POSSIBLE.items() if not words.search(says.text[lang])]
            if compared and sure:
                yield Problem(
                    file_of(entry),
                    f"signatures[{number}].says[{at}].{sure[0]}",
                    f"a fact, said where {says.when}",
                    "a possibility, as in 'If this is ..., ...' (如果……), "
                    "since two numbers may meet by chance;"
                    " or a `context` of the signature that supports it",
                )


def _of_sizes(comparison: Comparison, pattern: str) -> bool:
    """Whether sizes are compared with one another or with a number other than 0, and not only found
    unlike.
    """
    names, symbol, right = comparison
    if len(names) > 1:
        return False  # a sum is a calculation with the message's own numbers
    sizes = set(SIZE_GROUP.findall(pattern)) - NAMING_GROUPS
    if not sizes.intersection(names):
        return False
    if right in groups_of(pattern):
        return symbol != "!=" and right in sizes
    return quantity(right) not in (None, 0)
