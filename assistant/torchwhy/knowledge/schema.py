"""From the text of one `pitfall.yaml` to a `Pitfall`, or to every problem at once, each saying what to write.

Imports yaml and re2, so it is loaded only where knowledge is compiled or checked, never on a question's way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, TypeVar

import re2
import yaml

from torchwhy.runtime.locations import shipped
from torchwhy.text.language import LANGS, Bilingual, Lang

from . import conditions
from .entry import (
    CALLER,
    DERIVED,
    EFFECTS,
    ID,
    KINDS,
    LINE_FACTS,
    OF_THE_PYTHON,
    OF_THE_SOURCE,
    ROW,
    ChangeTemplate,
    EditTemplate,
    FactRule,
    LookAlike,
    Needs,
    Neighbour,
    Pitfall,
    Problem,
    Says,
    Signature,
    Source,
)
from .files import ASKS_FILES, SCHEMA_FILE
from .patterns import compile_pattern, groups_of
from .rows import COLUMNS
from .texts import RUN_MARK
from .vocabulary import FACT_NAMES, is_fact

SCHEMA = json.loads((shipped("kb") / SCHEMA_FILE).read_text("utf-8"))
PARTS = {"entry": SCHEMA, **SCHEMA["$defs"]}
KEYS = {name: tuple(part.get("properties", ())) for name, part in PARTS.items()}  # of each part of an entry
TYPES: Mapping[str, type] = {"boolean": bool, "integer": int, "number": float, "string": str, "array": list}
EDIT_SHAPES = ({"line", "to"}, {"call", "keyword"}, {"to"}, {"append"})  # and which call and argument
ARGUMENT = r"(-1|\d)(\|[A-Za-z_]\w*)?"
SPEAKS: tuple[Literal["for", "against"], ...] = ("for", "against")
MIN_QUESTIONS, MAX_QUESTIONS = 5, 200  # of each language; the most shipped are 34
MAX_TEXT_CHARS = 20_000  # the longest shipped text has 2,600; a table of 100,000 columns is drawn for minutes
# Of a text: the longest shipped has 51 lines. The chat draws each paragraph and each cell for itself.
MAX_LINES, MAX_CELLS = 500, 2000
MAX_SHOWN_CHARS = 120  # of a value that a problem quotes
MAX_PROBLEMS = 100  # of one file
MAX_DEPTH = 32  # of nested lists and mappings; an entry has five
MAX_PATTERN_CHARS = 10_000  # the longest shipped pattern has 940
# RE2's steps of all patterns of an entry, counted repeats written out; the longest shipped pattern takes
# 9,733. A search needs memory for them: 3.6 million took 8.8 GB.
MAX_PROGRAM_STEPS = 200_000
MAX_RANGE_CHARS = 200
NUMBER_TAGS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
MAX_NUMBER_CHARS = 100  # YAML reads 1:2:3 to the base of 60, in the square of the time
MAX_AMOUNT = 10**9  # of any number in `needs`
UNSTORABLE = re.compile(
    "[\x00\ud800-\udfff]"
)  # half a character, which no file takes, and the end of a C text
# Controls and escapes (but for the line feed and the tab), ends of lines of other kinds, turns of direction.
ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
FILLED = re.compile(r"\{(\w+)\}")  # in code, which has braces of its own
HAN = re.compile(r"[\u4e00-\u9fff]")
BLANK_LINES = re.compile(r"\n[ \t]*\n")
Item = TypeVar("Item")
Choice = TypeVar("Choice", bound=str)


class UnreadableValue:
    """A value that YAML takes for a date or a number and that is none, such as 2001-99-99.

    No field takes it.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


class StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """SafeLoader (libyaml's where PyYAML has it: ten times faster) that refuses duplicate keys."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen: set[str] = set()
        for key_node, _ in node.value:
            key = key_node.value
            if not isinstance(key, str) or key_node.tag != "tag:yaml.org,2002:str":
                raise yaml.MarkedYAMLError(
                    None, None, f"the key {key!r} is not text; put it in quotes", key_node.start_mark
                )
            if key in seen:
                raise yaml.MarkedYAMLError(
                    None, None, f"the key {key!r} stands twice; keep one", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        if node.tag in NUMBER_TAGS and ":" in node.value and len(node.value) > MAX_NUMBER_CHARS:
            return UnreadableValue(node.value)
        try:
            return super().construct_object(node, deep)
        except (ValueError, OverflowError):
            return UnreadableValue(str(node.value))


def load_yaml(text: str) -> Any:
    """Parse plain YAML: no aliases, no tags, no duplicate keys, no deep nesting. Raises yaml.YAMLError."""
    event: Any
    depth = 0
    for event in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        reason = ""
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            reason = "anchors and aliases are not allowed; write the text out"
        elif getattr(event, "tag", None):
            reason = f"the tag {event.tag} is not allowed; write plain YAML"
        elif depth > MAX_DEPTH:
            reason = f"nested more than {MAX_DEPTH} deep; write it flat"
        elif isinstance(event, yaml.ScalarEvent) and UNSTORABLE.search(event.value):
            reason = "a NUL or half a character (\\ud800 to \\udfff); leave it out"
        if reason:
            raise yaml.MarkedYAMLError(None, None, reason, event.start_mark)
    return yaml.load(text, StrictLoader)  # noqa: S506 (a safe loader with fewer features)


def shown_value(value: object) -> str:
    """A value as a problem quotes it; Python writes no whole number of more than 4,300 digits out."""
    try:
        return repr(value)
    except ValueError:
        return "a number of thousands of digits"


def text_or_nothing(value: object) -> str:
    """The value where it is a text, else nothing."""
    return value if isinstance(value, str) else ""


def shortened(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_CHARS else text[: MAX_SHOWN_CHARS - 3] + "..."


def _cells(text: str) -> int:
    """How many cells the tables of a text can have at most: a row is as wide as its table's widest."""
    parts = (part.split("\n") for part in BLANK_LINES.split(text))
    return sum(len(rows) * max(row.count("|") for row in rows) for rows in parts)


class Reader:
    """Reads fields off one mapping and collects problems instead of stopping at the first.

    `languages`: those that every text has; where that is one, it is shown for the other as well.
    """

    def __init__(self, file: str, languages: Sequence[Lang] = LANGS) -> None:
        self.file = file
        self.languages = languages
        self.problems: list[Problem] = []
        self._program_steps = 0  # of the patterns so far

    def report(self, field: str, found: object, wanted: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(self.file, shortened(field), shortened(shown_value(found)), wanted))

    def text(self, value: Any, field: str, *, wanted: str = "a text") -> str:
        if isinstance(value, str) and ACTING.search(value):
            wanted = "a text without characters that act on a terminal"
        elif isinstance(value, str) and len(value) > MAX_TEXT_CHARS:
            value, wanted = f"{len(value):,} characters", f"at most {MAX_TEXT_CHARS:,}"
        elif isinstance(value, str) and value.strip():
            return value.strip()
        self.report(field, value, wanted)
        return ""

    def prose(self, value: Any, field: str) -> str:
        """A text for readers, which is drawn as Markdown: not of any number of parts."""
        text = self.text(value, field)
        lines, cells = text.count("\n") + 1, _cells(text)
        if lines > MAX_LINES:
            self.report(field, f"{lines:,} lines", f"at most {MAX_LINES}")
        elif cells > MAX_CELLS:
            self.report(field, f"tables of {cells:,} cells", f"at most {MAX_CELLS:,}")
        return text

    def bilingual(self, value: Any, field: str) -> Bilingual:
        """A text in both languages, or in that of a base of one, which may have both all the same."""
        given = value if isinstance(value, Mapping) else {}
        wanted = "a mapping with exactly the keys en and zh"
        if len(self.languages) == 1:
            given = {key: said for key, said in given.items() if said is not None}
            wanted = f"a mapping with the key {self.languages[0]}, the language of this knowledge base"
        if not set(self.languages) <= set(given) <= set(LANGS):
            self.report(field, value, wanted)
            return Bilingual("", "")
        texts = {lang: self.prose(given[lang], f"{field}.{lang}") for lang in LANGS if lang in given}
        if texts.get("zh") and not HAN.search(texts["zh"]):
            self.report(f"{field}.zh", texts["zh"], "the text in Chinese")
        only = texts[self.languages[0]]
        return Bilingual(texts.get("en", only), texts.get("zh", only))

    def markdown(self, value: Any, field: str) -> Bilingual:
        """A bilingual text as readers see it: its fences without the word that tells the tests to run
        them.
        """
        text = self.bilingual(value, field)
        return Bilingual(RUN_MARK.sub(r"\1", text.en), RUN_MARK.sub(r"\1", text.zh))

    def mapping(self, value: Any, field: str, allowed: Collection[str]) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            self.report(field, value, f"a mapping with keys out of {', '.join(allowed)}")
            return {}
        for key in value:
            if key not in allowed:
                self.report(f"{field}.{key}", key, f"one of {', '.join(allowed)}")
        return value

    def choice(
        self, data: Mapping[str, Any], field: str, choices: Sequence[Choice], inside: str = ""
    ) -> Choice:
        """One of the choices; the first, after reporting, where it is none of them."""
        for choice in choices:
            if data.get(field) == choice:
                return choice
        self.report(inside + field, data.get(field), f"one of {', '.join(choices)}")
        return choices[0]

    def items(self, value: Any, field: str, read: Callable[..., Item], *more: Any) -> tuple[Item, ...]:
        """Every item of a list, by `read(reader, item, name of its field, *more)`."""
        if value is not None and not isinstance(value, list):
            self.report(field, value, "a list")
            return ()
        return tuple(read(self, item, f"{field}[{number}]", *more) for number, item in enumerate(value or ()))

    def pattern(self, value: Any, field: str) -> str:
        text = self.text(value, field, wanted="an RE2 pattern")
        if len(text) > MAX_PATTERN_CHARS:
            self.report(field, f"{len(text):,} characters", f"a pattern of at most {MAX_PATTERN_CHARS:,}")
            return ""
        if text:
            try:
                self._program_steps += compile_pattern(text).programsize
            except (re2.error, ValueError) as error:
                self.report(field, text, f"a pattern that RE2 compiles ({shortened(str(error))})")
                return ""
        if self._program_steps > MAX_PROGRAM_STEPS:
            wanted = (
                f"patterns that together take RE2 at most {MAX_PROGRAM_STEPS:,} steps: repeat fewer times"
            )
            self.report(field, text, wanted)
            return ""
        return text

    def condition(self, value: Any, field: str, names: set[str] | None) -> str:
        text = self.text(value, field, wanted="a comparison such as 'idle < tried' or 'idle + free >= tried'")
        try:
            comparisons = conditions.comparisons(text, names) if text else []
        except conditions.ConditionError as error:
            self.report(field, text, str(error))
            return text
        if names is None:
            for name in [name for names, _, _ in comparisons for name in names]:
                if not is_fact(name):
                    self.report(
                        field,
                        name,
                        f"a fact: one of {', '.join(sorted(FACT_NAMES))}, env.NAME or package.NAME",
                    )
        return text


def names_of(pattern: str) -> list[str]:
    """What a match of a pattern knows by name: its groups, and the columns of a row that it names."""
    groups = groups_of(pattern)
    return [*groups, *COLUMNS] if ROW in groups else groups


def read_says(reader: Reader, value: Any, field: str, pattern: str) -> Says:
    data = reader.mapping(value, field, KEYS["says"])
    text = reader.bilingual({key: data.get(key) for key in LANGS}, field)
    groups = names_of(pattern) if pattern else []
    for lang in LANGS:
        for name in PLACEHOLDER.findall(text[lang]):
            if name not in groups:
                reader.report(
                    f"{field}.{lang}",
                    "{" + name + "}",
                    f"a named group of the pattern ({', '.join(groups) or 'it has none'})",
                )
    when = (
        reader.condition(data["when"], f"{field}.when", {*groups, *LINE_FACTS, conditions.CUT})
        if "when" in data
        else None
    )
    return Says(text, when)


def read_signature(reader: Reader, value: Any, field: str) -> Signature:
    data = reader.mapping(value, field, KEYS["signature"])
    pattern = reader.pattern(data.get("pattern"), f"{field}.pattern")
    example = reader.text(
        data.get("example"), f"{field}.example", wanted="one real message that the pattern matches"
    )
    context = reader.pattern(data["context"], f"{field}.context") if "context" in data else None
    groups = groups_of(pattern) if pattern else []
    for name in {name for name in groups if groups.count(name) > 1}:
        reader.report(f"{field}.pattern", name, "each group name once (RE2 silently loses the second)")
    if pattern and example and not compile_pattern(pattern).search(example):
        reader.report(f"{field}.example", example, "a message that this signature's own pattern matches")
    if context and example and not compile_pattern(context).search(example):
        reader.report(
            f"{field}.example",
            example,
            "an example that shows the context too (a frame, a line around the message)",
        )
    releases = data.get("releases")
    if releases is not None and not is_range(releases):
        reader.report(f"{field}.releases", releases, "a PEP 440 range in quotes, such as '>=1.7,<2.0'")
        releases = None
    says = reader.items(data.get("says"), f"{field}.says", read_says, pattern)
    own = Signature(pattern, example, releases, context, says)
    change = reader.items(data.get("change"), f"{field}.change", read_change, [own])
    return own._replace(change=change)


def read_change(reader: Reader, value: Any, field: str, signatures: Sequence[Signature]) -> ChangeTemplate:
    """What to change with the numbers of a message: every {name} is a group of one and the same signature.

    Where that is one signature with a sentence of its own, the change needs none.
    """
    data = reader.mapping(value, field, KEYS["change"])
    texts = {
        key: reader.bilingual(data[key], f"{field}.{key}") for key in ("says", "do", "or") if key in data
    }
    if "says" not in texts and not (len(signatures) == 1 and signatures[0].says):
        reader.report(f"{field}.says", None, "a sentence in en and zh: what the numbers of the message mean")
    code = reader.text(data["code"], f"{field}.code") if "code" in data else None
    if code is None and "do" not in texts:
        reader.report(field, sorted(data), "`code` or `do`: the change itself")
    edits = reader.items(data.get("edits"), f"{field}.edits", read_edit)
    known = [
        {
            name
            for group in names_of(signature.pattern)
            for name in (group, *(f"{group}_{part}" for part in DERIVED))
        }
        for signature in signatures
        if signature.pattern
    ]
    when = None
    if "when" in data:
        names = {name for groups in known for name in groups} | set(FACT_NAMES) | LINE_FACTS
        names |= {CALLER, conditions.CUT, *OF_THE_PYTHON}
        when = reader.condition(data["when"], f"{field}.when", names)
    written = [text[lang] for text in texts.values() for lang in LANGS] + [code or ""]
    written += [text for edit in edits for text in edit if text]
    wanted = {name for text in written for name in FILLED.findall(text)} - OF_THE_SOURCE - OF_THE_PYTHON
    if not any(wanted <= groups for groups in known or [set()]):
        reader.report(field, sorted(wanted), "named groups of one and the same pattern")
    only_as_edit = data.get("only_as_edit", False)
    if not isinstance(only_as_edit, bool) or (only_as_edit and not edits):
        reader.report(f"{field}.only_as_edit", only_as_edit, "true or false; true wants edits")
        only_as_edit = False
    return ChangeTemplate(
        texts.get("says"), when, texts.get("do"), code, edits, texts.get("or"), only_as_edit
    )


def read_edit(reader: Reader, value: Any, field: str) -> EditTemplate:
    """One way to change a line of the user's: by the keys of an edit, or the name of a function."""
    if isinstance(value, str) and value.isidentifier():
        return EditTemplate(function=value)
    data = reader.mapping(value, field, KEYS["edit"])
    data = {**data, "argument": str(data["argument"])} if "argument" in data else data
    texts = {key: reader.text(data[key], f"{field}.{key}") for key in data if key in KEYS["edit"]}
    if not re.fullmatch(ARGUMENT, texts.get("argument", "0")):
        reader.report(
            f"{field}.argument", texts["argument"], "its place, -1 the last, and its keyword: 1|target"
        )
    if texts.keys() not in EDIT_SHAPES and texts.keys() - {"call", "argument"} not in EDIT_SHAPES[2:]:
        wanted = (
            "line and to, call and keyword, or append or to (and call, argument), or a function of edit.py"
        )
        reader.report(field, sorted(texts), wanted)
    return EditTemplate(**texts)


def is_range(text: Any) -> bool:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    if not isinstance(text, str) or len(text) > MAX_RANGE_CHARS:
        return False
    try:
        SpecifierSet(text)
    except InvalidSpecifier:
        return False
    return True


def read_needs(reader: Reader, value: Any) -> Needs:
    if value is None:
        return Needs()
    data = dict(reader.mapping(value, "needs", KEYS["needs"]))
    for key in [key for key in data if key in KEYS["needs"]]:
        kinds = PARTS["needs"]["properties"][key]["type"]
        types = tuple(TYPES[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds))
        if not isinstance(data[key], types):
            reader.report(f"needs.{key}", data.pop(key), " or ".join(kind.__name__ for kind in types))
    for key in [key for key in ("gpus", "seconds") if key in data and not 0 <= data[key] < MAX_AMOUNT]:
        reader.report(f"needs.{key}", data.pop(key), f"a number from 0 to {MAX_AMOUNT:,}")
    for package in data.get("packages", ()):
        if not isinstance(package, str):
            reader.report("needs.packages", package, "the name of a package, in quotes")
    for key in ("torch", "python"):
        if key in data and not is_range(data[key]):
            reader.report(f"needs.{key}", data.pop(key), "a PEP 440 range in quotes, such as '<2.0'")
    if "gpu_memory" in data and conditions.quantity(data["gpu_memory"]) is None:
        reader.report("needs.gpu_memory", data.pop("gpu_memory"), "a size such as '600 MiB'")
    data["packages"] = tuple(name for name in data.get("packages", ()) if isinstance(name, str))
    if data.get("gpus", 0) > 0 or data.get("gpu_memory"):
        data["cuda"] = True
    return Needs(**{key: data[key] for key in data if key in KEYS["needs"]})


def read_fact(reader: Reader, value: Any, field: str) -> FactRule:
    data = reader.mapping(value, field, KEYS["fact"])
    speaks = reader.choice(data, "speaks", SPEAKS, f"{field}.")
    text = reader.bilingual({key: data.get(key) for key in LANGS}, field)
    return FactRule(reader.condition(data.get("when"), f"{field}.when", None), speaks, text)


def read_source(reader: Reader, value: Any, field: str, documents: Mapping[str, Any]) -> Source:
    data = reader.mapping(value, field, KEYS["source"])
    if ("document" in data) == ("url" in data):
        reader.report(field, dict(data), "either document and section, or url and title")
    for key, other in (("document", "section"), ("url", "title")):
        if key in data:
            reader.text(data.get(other), f"{field}.{other}")
    if "document" in data and not (isinstance(data["document"], str) and data["document"] in documents):
        reader.report(
            f"{field}.document",
            data["document"],
            f"a key of data/shipped/documents.yaml: {', '.join(documents)}",
        )
    if "url" in data and not re.match(r"https://[^\s]+\Z", text_or_nothing(data["url"])):
        reader.report(f"{field}.url", data["url"], "a page that opens with https://")
    return Source(**{key: data[key] for key in KEYS["source"] if isinstance(data.get(key), str)})


def read_look_alike(reader: Reader, value: Any, field: str) -> LookAlike:
    data = reader.mapping(value, field, KEYS["look_alike"])
    other = reader.text(data.get("id"), f"{field}.id", wanted="the id of another entry")
    near = reader.text(data["near_miss"], f"{field}.near_miss") if "near_miss" in data else None
    return LookAlike(other, near)


def read_neighbour(reader: Reader, value: Any, field: str) -> Neighbour:
    data = reader.mapping(value, field, KEYS["neighbour"])
    of = reader.text(data.get("of"), f"{field}.of", wanted="another entry's id, or a program or package")
    return Neighbour(
        of, reader.text(data.get("line"), f"{field}.line", wanted="a real line, as it is printed")
    )


def read_asks(text: str, file: str, lang: Lang) -> tuple[tuple[str, ...], list[Problem]]:
    """(the questions of one language, a line each; what is wrong with them)."""
    reader = Reader(file)
    lines = tuple(line.strip() for line in text.removeprefix("\ufeff").split("\n") if line.strip())
    for line in lines:
        if ACTING.search(line):
            reader.report(f"asks.{lang}", line, "a question without characters that act on a terminal")
    if len(set(lines)) < MIN_QUESTIONS:
        wanted = f"{MIN_QUESTIONS} or more questions, a line each, unlike one another"
        reader.report(f"asks.{lang}", len(set(lines)), wanted)
    if len(lines) > MAX_QUESTIONS or max(map(len, lines), default=0) > MAX_TEXT_CHARS:
        wanted = f"at most {MAX_QUESTIONS} questions of at most {MAX_TEXT_CHARS:,} characters"
        reader.report(f"asks.{lang}", len(lines), wanted)
    return lines, reader.problems


def read_fields(reader: Reader, data: Any) -> Mapping[str, Any]:
    """The entry's fields by name, after reporting others and questions, which once stood among them."""
    if isinstance(data, dict) and "asks" in data:
        del data["asks"]
        beside = " and ".join(ASKS_FILES.values())
        reader.report("asks", "questions", f"a question a line in {beside} beside it")
    return reader.mapping(data, "(top)", KEYS["entry"])


def read_entry(
    text: str,
    *,
    file: str,
    id: str,
    category: str,
    folder: str,
    asks: Mapping[str, Sequence[str]],
    documents: Mapping[str, Any],
    languages: Sequence[Lang] = LANGS,
) -> tuple[Pitfall | None, list[Problem]]:
    """Read one entry. Returns (entry, []) or (None, every problem found). `asks`: the questions beside it."""
    reader = Reader(file, languages)
    for name, value in (("id", id), ("category", category)):
        if not ID.match(value):
            reader.report(name, value, "a folder name in lower case, words joined by hyphens")
    try:
        data = load_yaml(text)
    except yaml.YAMLError as error:
        return None, [*reader.problems, yaml_problem(file, text, error)]
    data = read_fields(reader, data)
    effect, kind = reader.choice(data, "effect", EFFECTS), reader.choice(data, "kind", KINDS)
    signatures = reader.items(data.get("signatures"), "signatures", read_signature)
    if kind != "silent" and not signatures:
        reader.report("signatures", data.get("signatures"), "at least one message, since kind is not silent")
    symptom = reader.pattern(data["symptom"], "symptom") if "symptom" in data else None
    no_repro = read_no_repro(reader, data)
    if kind == "silent" and not symptom and not no_repro:
        reader.report("symptom", None, "the pattern of the 'symptom: ...' line that repro.py says")
    sources = reader.items(data.get("sources"), "sources", read_source, documents)
    if not any(source.url for source in sources):
        reader.report("sources", len(sources), "at least one page (url, title) that a reader can open")
    pitfall = Pitfall(
        id=id,
        category=category,
        folder=folder,
        kind=kind,
        effect=effect,
        title=reader.bilingual(data.get("title"), "title"),
        signatures=signatures,
        change=reader.items(data.get("change"), "change", read_change, signatures),
        symptom=symptom,
        asks=asks,
        cause=reader.markdown(data.get("cause"), "cause"),
        fix=reader.markdown(data.get("fix"), "fix"),
        check=reader.markdown(data.get("check"), "check"),
        sources=sources,
        no_repro=no_repro,
        needs=read_needs(reader, data.get("needs")),
        look_alikes=reader.items(data.get("look_alikes"), "look_alikes", read_look_alike),
        neighbours=reader.items(data.get("neighbours"), "neighbours", read_neighbour),
        facts=reader.items(data.get("facts"), "facts", read_fact),
    )
    return (None if reader.problems else pitfall), reader.problems


def read_languages(text: str, file: str) -> tuple[tuple[Lang, ...], list[Problem]]:
    """(the languages of a knowledge base, what is wrong) of the text of its languages.yaml."""
    try:
        names = load_yaml(text)
    except yaml.YAMLError as error:
        return LANGS, [yaml_problem(file, text, error)]
    found = tuple(lang for lang in LANGS if isinstance(names, list) and lang in names)
    if not found or len(names) != len(found):
        reader = Reader(file)
        reader.report("(top)", names, "[en], [zh], or no such file for both")
        return LANGS, reader.problems
    return found, []


def read_renamed(text: str, file: str) -> tuple[dict[str, str], list[Problem]]:
    """({old id: new id}, what is wrong) of the text of a renamed.yaml; a wrong line is left out."""
    try:
        names = load_yaml(text)
    except yaml.YAMLError as error:
        return {}, [yaml_problem(file, text, error)]
    reader = Reader(file)
    if names is not None and not isinstance(names, Mapping):
        reader.report("(top)", names, "a mapping of old ids to new ones")
        names = None
    renamed: dict[str, str] = {}
    for old, new in (names or {}).items():
        if reader.text(new, old, wanted="the new id, a text"):
            renamed[old] = new.strip()
    return renamed, reader.problems


def read_no_repro(reader: Reader, data: Mapping[str, Any]) -> Bilingual | None:
    """The reason why the entry has no script, where it gives one."""
    if "repro" not in data:
        return None
    reason = reader.mapping(data["repro"], "repro", ("none",)).get("none")
    return reader.bilingual(reason, "repro.none")


def yaml_problem(file: str, text: str, error: yaml.YAMLError) -> Problem:
    """What is wrong with text that is no YAML, by its line; a tab, the commonest reason, by its name."""
    mark = getattr(error, "problem_mark", None)
    said = shortened(" ".join(str(getattr(error, "problem", None) or error).split()))
    if mark is None:
        return Problem(file, "(YAML)", said, "plain YAML")
    line = text.splitlines()[mark.line] if mark.line < len(text.splitlines()) else ""
    indentation = line[: len(line) - len(line.lstrip())]
    if "\t" in indentation + line[mark.column : mark.column + 1]:
        return Problem(file, f"line {mark.line + 1}", "a tab", "spaces; YAML takes no tab there")
    return Problem(file, f"line {mark.line + 1}, column {mark.column + 1}", said, "plain YAML")
