"""What entries say that no real text has shown: sentences and changes under a condition, and wordings within a pattern.

A real text is an example, an `also` of printed.yaml, or what the entry's script printed. A statement that none of them
brings out was never read as somebody would get it: print such a message and record it, or take the statement out.

python -m tests.tools.unshown [CATEGORY or ID...]   a line each; of all entries where none is named
"""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from tests.support.shipped import knowledge
from tests.tools import printed
from torchwhy.answers.build import said_of
from torchwhy.answers.change import change_of
from torchwhy.authoring.example_records import read_records
from torchwhy.knowledge.conditions import comparisons
from torchwhy.knowledge.cut_text import state_of
from torchwhy.knowledge.entry import CALLER, LINE_FACTS, OF_THE_PYTHON, ChangeTemplate, Pitfall, Signature
from torchwhy.knowledge.patterns import compile_pattern
from torchwhy.knowledge.rows import values_of
from torchwhy.knowledge.vocabulary import is_fact

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import sre_compile  # the standard library's own parser of patterns; RE2 shows no tree
    import sre_parse

MIN_WORDING_CHARS = 12  # of a branch with a blank in it: shorter ones are names and values


def texts_of(entry: Pitfall) -> list[str]:
    """The real texts of an entry."""
    examples = [signature.example for signature in entry.signatures]
    also = [record["also"] for record in read_records(entry) if "also" in record]
    return [*examples, *also, *(text for (id, _), text in printed.verbatim().items() if id == entry.id)]


def unshown(entry: Pitfall) -> Iterator[str]:
    """Each statement and wording of an entry that none of its real texts shows, a line each."""
    texts = texts_of(entry)
    says: set[int] = set()
    changes: set[int] = set()
    for signature in entry.signatures:
        for values in values_in(signature, texts, entry.folder):
            says.update(map(id, said_of(signature, values)))
            changes.update(map(id, shown_changes((*signature.change, *entry.change), values)))
    for number, signature in enumerate(entry.signatures):
        for each in signature.says:
            if id(each) not in says:
                yield f"{entry.id}, wording {number}, says when {each.when}: {each.text.en}"
        for change in signature.change:
            if id(change) not in changes and depends_on_text(change):
                yield f"{entry.id}, wording {number}, change when {change.when}: {told(change)}"
        for words in unshown_wordings(signature, texts):
            yield f"{entry.id}, wording {number}, part of the pattern: {words}"
    for change in entry.change:
        if id(change) not in changes and depends_on_text(change):
            yield f"{entry.id}, change when {change.when}: {told(change)}"


def values_in(signature: Signature, texts: list[str], folder: str) -> Iterator[dict[str, str]]:
    """The groups of each of a signature's matches in these texts, where its context is there too, with the row of
    the folder's entry that they name, and whether the message was cut.
    """
    pattern = compile_pattern(signature.pattern)
    context = compile_pattern(signature.context) if signature.context else None
    for text in texts:
        if context is None or context.search(text):
            for found in pattern.finditer(text):
                groups = {name: value for name, value in found.groupdict().items() if value is not None}
                yield {**values_of(folder, groups), **state_of(text, found.start(), signature.example)}


def shown_changes(changes: tuple[ChangeTemplate, ...], values: Mapping[str, str]) -> Iterator[ChangeTemplate]:
    """The change that a message with these values shows."""
    for change in changes:
        if change_of((change,), dict(values), "en", None) is not None:
            yield change
            return


def depends_on_text(change: ChangeTemplate) -> bool:
    """Whether a text alone can bring the change out: no fact of the machine or of the line, no user's file."""
    names = {
        name
        for left, _, right in (comparisons(change.when) if change.when else ())
        for name in (*left, right)
    }
    of_line = not {*LINE_FACTS, *OF_THE_PYTHON, CALLER}.isdisjoint(names)
    return not change.only_as_edit and not of_line and not any(map(is_fact, names))


def told(change: ChangeTemplate) -> str:
    return next((text.en for text in (change.says, change.do) if text), change.code or "")


def unshown_wordings(signature: Signature, texts: list[str]) -> Iterator[str]:
    """The branches of a pattern that are words of their own and by which no text matches."""
    pattern = signature.pattern.replace(r"\z", r"\Z")  # RE2's name of it
    tree = sre_parse.parse(pattern, re.IGNORECASE)  # as patterns are read
    whole = sre_compile.compile(tree)
    matching = [text for text in texts if whole.search(text)]
    for place, number, branch in branches_of(tree):
        words = words_of(branch)
        if " " in words.strip() and len(words) >= MIN_WORDING_CHARS:
            kept = place[number]
            place[number] = (kept[0], (kept[1][0], [branch]))
            alone = sre_compile.compile(tree)
            place[number] = kept
            if not any(map(alone.search, matching)):
                yield words


def branches_of(tree: Any) -> Iterator[tuple[Any, int, Any]]:
    """Each branch of each choice in a pattern, with the tree and the place in it where the choice stands."""
    for number, (kind, given) in enumerate(tree):
        if str(kind) == "BRANCH":
            for branch in given[1]:
                yield tree, number, branch
                yield from branches_of(branch)
        elif str(kind) == "SUBPATTERN":
            yield from branches_of(given[3])
        elif str(kind) in ("MAX_REPEAT", "MIN_REPEAT"):
            yield from branches_of(given[2])


def words_of(tree: Any) -> str:
    """What stands letter by letter in a part of a pattern, a dot for anything else."""
    parts = []
    for kind, given in tree:
        if str(kind) == "LITERAL":
            parts.append(chr(given))
        elif str(kind) == "SUBPATTERN":
            parts.append(words_of(given[3]))
        elif str(kind) == "BRANCH":
            parts.append("|".join(map(words_of, given[1])))
        elif str(kind) in ("MAX_REPEAT", "MIN_REPEAT"):
            parts.append(words_of(given[2]))
        else:
            parts.append(".")
    return re.sub(r"\.{2,}", ".", "".join(parts))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("only", nargs="*")
    args = parser.parse_args(argv)
    known = knowledge().pitfalls
    lines = [
        line for entry in known.values() if printed.is_meant(entry, args.only) for line in unshown(entry)
    ]
    for line in lines:
        print(line)
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
