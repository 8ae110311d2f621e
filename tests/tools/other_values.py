"""What an entry says of messages that nobody has pasted yet: for reading it as those will who get them.

Each pattern is written out in all its branches, its groups filled with other values of the same kind, and of every text that it
takes stands what would be shown. A sentence that does not fit one of them needs a condition, or an "if".

python -m tests.tools.other_values ID...   prints the texts, the sentences and the changes (English)
"""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from torchwhy.answers.build import filled, said_of
from torchwhy.answers.change import Change, change_of
from torchwhy.knowledge.entry import Pitfall, Signature
from torchwhy.knowledge.load import load_documents, load_knowledge
from torchwhy.knowledge.patterns import compile_pattern
from torchwhy.runtime import locations

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import sre_parse  # the standard library's own parser of patterns; RE2 shows no tree

MAX_TEXTS = 40  # of one pattern
# Other values of the same kind as the one in the example, the first kind that it belongs to.
KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\d+", ("0", "1", "2", "3", "4", "5", "8", "12", "33", "100", "65536")),
    (r"-\d+", ("-1", "-2", "-100")),
    (r"\d+(?:, ?\d+)+|\[\d+(?:, ?\d+)*\]", ("7", "3, 5", "1, 3, 4", "2, 3, 4, 4", "1, 1, 4, 8, 8", "0, 4")),
    (r"\d+\.\d+\.\d+(?:\+\w+)?", ("1.13.1", "2.2.2+cu121", "2.9.0+rocm6.4", "2.13.0+cpu", "2.15.0")),
    (r"\d+\.\d+", ("0.5", "3.14", "11.8", "13.0")),
    (r"(?:cpu|cuda|mps|xpu|meta)(?::\d+)?", ("cpu", "cuda:0", "cuda:1", "mps:0", "xpu:0", "meta")),
    (
        r"(?:c10::|torch\.)?(?i:float|double|half|bfloat16|long|int|bool|byte|float\d+|int\d+|uint8|complex\w+)",
        (
            "float",
            "double",
            "Half",
            "c10::BFloat16",
            "long int",
            "Long",
            "Int",
            "Byte",
            "bool",
            "ComplexFloat",
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A text that a pattern takes, and what is shown of it."""

    text: str
    says: tuple[str, ...]
    change: Change | None


def texts_of(signature: Signature) -> Iterator[str]:
    """The example, its groups with other values, and the pattern's other branches and repetitions."""
    pattern = compile_pattern(signature.pattern)
    found = pattern.search(signature.example)
    values = {name: text for name, text in found.groupdict().items() if text} if found else {}
    texts = dict.fromkeys([signature.example])
    for name, value in values.items():
        begin, end = found.span(pattern.groupindex[name])
        for other in others(value):
            texts[signature.example[:begin] + other + signature.example[end:]] = None
    tree = sre_parse.parse(signature.pattern.replace(r"\z", r"\Z"))  # RE2's name of it
    writer = Writer(values, {})
    texts[writer.written(tree)] = None
    for choice, count in list(writer.choices.items()):
        for number in range(1, count):
            texts[Writer(values, {choice: number}).written(tree)] = None
    for text in list(texts)[:MAX_TEXTS]:
        if pattern.search(text):
            yield text


def others(value: str) -> tuple[str, ...]:
    """Other values of the kind of this one; of a name another name."""
    for kind, values in KINDS:
        if re.fullmatch(kind, value):
            return tuple(each for each in values if each != value)
    return ("forward", "MyNet", "encoder.layers.0.weight") if re.fullmatch(r"[\w.]+", value) else ()


class Writer:
    """Writes a text that a pattern takes. `chosen`: which branch is taken, by the number of the choice."""

    def __init__(self, values: Mapping[str, str], chosen: Mapping[int, int]) -> None:
        self.values, self.chosen = values, chosen
        self.choices: dict[int, int] = {}
        self.names: dict[int, str] = {}

    def written(self, tree: Any) -> str:
        self.names = {number: name for name, number in tree.state.groupdict.items()}
        return "".join(map(self._part, tree))

    def _choose(self, count: int) -> int:
        number = len(self.choices)
        self.choices[number] = count
        return self.chosen.get(number, 0)

    def _part(self, node: Any) -> str:
        kind, given = str(node[0]), node[1]
        if kind == "LITERAL":
            return chr(given)
        if kind == "NOT_LITERAL":
            return "x" if given != ord("x") else "y"
        if kind == "ANY":
            return "x"
        if kind == "IN":
            return self._one_of(given)
        if kind == "BRANCH":
            branches = given[1]
            return "".join(map(self._part, branches[self._choose(len(branches))]))
        if kind == "SUBPATTERN":
            name = self.names.get(given[0]) if given[0] else None
            if name in self.values:
                return self.values[str(name)]
            return "".join(map(self._part, given[3]))
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, part = given
            times = least if least else self._choose(2) and 1
            return "".join(map(self._part, part)) * times if most else ""
        return ""

    def _one_of(self, given: Any) -> str:
        for kind, value in given:
            if str(kind) == "LITERAL":
                return chr(value)
            if str(kind) == "RANGE":
                return chr(value[0])
            if str(kind) == "CATEGORY":
                return {"CATEGORY_DIGIT": "3", "CATEGORY_SPACE": " "}.get(str(value), "x")
            return "x"
        return "x"


def shown_of(entry: Pitfall, signature: Signature, lang: str = "en") -> Iterator[Shown]:
    """What is shown of every text of a signature, each combination of sentences once."""
    seen = set()
    for text in texts_of(signature):
        found = compile_pattern(signature.pattern).search(text)
        values = {name: value for name, value in found.groupdict().items() if value is not None}
        says = tuple(filled(each.text[lang], values) for each in said_of(signature, values))
        change = change_of((*signature.change, *entry.change), values, lang, None)
        templates = tuple(each.text.en for each in said_of(signature, values))
        key = (templates, without(values, f"{change}"))
        if key not in seen:
            seen.add(key)
            yield Shown(text, says, change)


def without(values: Mapping[str, str], text: str) -> str:
    """A sentence without the values of its message: what its template is."""
    for value in sorted(values.values(), key=len, reverse=True):
        text = text.replace(value, "") if value else text
    return re.sub(r"\d+", "", text)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ids", nargs="+")
    args = parser.parse_args(argv)
    knowledge = load_knowledge([locations.shipped("kb")], load_documents(locations.documents()))
    for id in args.ids:
        entry = knowledge.pitfalls[id]
        for number, signature in enumerate(entry.signatures):
            print(f"\n== {id}, wording {number}: {signature.pattern}")
            for each in shown_of(entry, signature):
                print(f"\n  {each.text.strip()}")
                for sentence in each.says:
                    print(f"    says    {sentence}")
                if each.change is not None:
                    told = (each.change.says, each.change.text, each.change.code, each.change.alternative)
                    print(*(f"    change  {part}" for part in told if part), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
