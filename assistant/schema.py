"""From the text of one `pitfall.yaml` to a `Pitfall`, or to every problem at once, each saying what to write.

Imports yaml and re2, so it is loaded only where knowledge is compiled or checked, never on a question's way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

import re2
import yaml

from . import conditions
from .facts import FACT_NAMES, is_fact
from .patterns import compile_pattern, groups_of
from .types import EFFECTS, KINDS, LANGS, Bilingual, FactRule, Kind, LookAlike, Needs, Pitfall, Problem, Says, Signature, Source

FIELDS = (
    "title", "kind", "effect", "signatures", "symptom", "asks", "cause", "fix", "check", "look_alikes", "needs",
    "facts", "sources", "repro",
)  # fmt: skip
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
HAN = re.compile(r"[\u4e00-\u9fff]")


class StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """SafeLoader (libyaml's where PyYAML has it: ten times faster) that refuses duplicate keys."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen: set[str] = set()
        for key_node, _ in node.value:
            key = key_node.value
            if not isinstance(key, str) or key_node.tag != "tag:yaml.org,2002:str":
                raise yaml.MarkedYAMLError(None, None, f"the key {key!r} is not text; put it in quotes", key_node.start_mark)
            if key in seen:
                raise yaml.MarkedYAMLError(None, None, f"the key {key!r} stands twice; keep one", key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


def load_yaml(text: str) -> Any:
    """Parse plain YAML: no aliases, no tags, no duplicate keys. Raises yaml.YAMLError."""
    event: Any
    for event in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise yaml.MarkedYAMLError(None, None, "anchors and aliases are not allowed; write the text out", event.start_mark)
        if getattr(event, "tag", None):
            raise yaml.MarkedYAMLError(None, None, f"the tag {event.tag} is not allowed; write plain YAML", event.start_mark)
    return yaml.load(text, StrictLoader)  # noqa: S506 (a safe loader with fewer features)


class Reader:
    """Reads fields off one mapping and collects problems instead of stopping at the first."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def report(self, field: str, found: object, wanted: str) -> None:
        text = repr(found)
        self.problems.append(Problem(self.file, field, text if len(text) <= 120 else text[:117] + "...", wanted))

    def text(self, value: Any, field: str, *, wanted: str = "a text") -> str:
        if isinstance(value, str) and value.strip():
            return value.strip()
        self.report(field, value, wanted)
        return ""

    def bilingual(self, value: Any, field: str) -> Bilingual:
        if not isinstance(value, Mapping) or set(value) != set(LANGS):
            self.report(field, value, "a mapping with exactly the keys en and zh")
            return Bilingual("", "")
        result = Bilingual(self.text(value["en"], f"{field}.en"), self.text(value["zh"], f"{field}.zh"))
        if result.zh and not HAN.search(result.zh):
            self.report(f"{field}.zh", result.zh, "the text in Chinese")
        return result

    def mapping(self, value: Any, field: str, allowed: tuple[str, ...]) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            self.report(field, value, f"a mapping with keys out of {', '.join(allowed)}")
            return {}
        for key in value:
            if key not in allowed:
                self.report(f"{field}.{key}", key, f"one of {', '.join(allowed)}")
        return value

    def items(self, value: Any, field: str) -> list[Any]:
        if value is None:
            return []
        if isinstance(value, list):
            return value
        self.report(field, value, "a list")
        return []

    def pattern(self, value: Any, field: str) -> str:
        text = self.text(value, field, wanted="an RE2 pattern")
        if text:
            try:
                compile_pattern(text)
            except (re2.error, ValueError) as error:
                self.report(field, text, f"a pattern that RE2 compiles ({error})")
                return ""
        return text

    def condition(self, value: Any, field: str, names: set[str] | None) -> str:
        text = self.text(value, field, wanted="a comparison such as 'idle < tried'")
        try:
            triples = conditions.parse(text, names) if text else []
        except conditions.ConditionError as error:
            self.report(field, text, str(error))
            return text
        if names is None:
            for name, _, _ in triples:
                if not is_fact(name):
                    self.report(field, name, f"a fact: one of {', '.join(sorted(FACT_NAMES))}, env.NAME or package.NAME")
        return text


def read_says(reader: Reader, value: Any, field: str, pattern: str) -> Says:
    data = reader.mapping(value, field, ("when", "en", "zh"))
    text = reader.bilingual({key: data.get(key) for key in LANGS}, field)
    groups = groups_of(pattern) if pattern else []
    for lang in LANGS:
        for name in PLACEHOLDER.findall(text[lang]):
            if name not in groups:
                reader.report(f"{field}.{lang}", "{" + name + "}", f"a named group of the pattern ({', '.join(groups) or 'it has none'})")
    when = reader.condition(data["when"], f"{field}.when", set(groups)) if "when" in data else None
    return Says(text, when)


def read_signature(reader: Reader, value: Any, field: str) -> Signature:
    data = reader.mapping(value, field, ("pattern", "releases", "example", "context", "says"))
    pattern = reader.pattern(data.get("pattern"), f"{field}.pattern")
    example = reader.text(data.get("example"), f"{field}.example", wanted="one real message that the pattern matches")
    context = reader.pattern(data["context"], f"{field}.context") if "context" in data else None
    groups = groups_of(pattern) if pattern else []
    for name in {name for name in groups if groups.count(name) > 1}:
        reader.report(f"{field}.pattern", name, "each group name once (RE2 silently loses the second)")
    if pattern and example and not compile_pattern(pattern).search(example):
        reader.report(f"{field}.example", example, "a message that this signature's own pattern matches")
    if context and example and not compile_pattern(context).search(example):
        reader.report(f"{field}.example", example, "an example that shows the context too (a frame, a line around the message)")
    releases = data.get("releases")
    if releases is not None and not is_range(releases):
        reader.report(f"{field}.releases", releases, "a PEP 440 range in quotes, such as '>=1.7,<2.0'")
        releases = None
    says = tuple(read_says(reader, item, f"{field}.says[{number}]", pattern) for number, item in enumerate(reader.items(data.get("says"), f"{field}.says")))
    return Signature(pattern, example, releases, context, says)


def is_range(text: Any) -> bool:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        SpecifierSet(text)
    except (InvalidSpecifier, TypeError, AttributeError):
        return False
    return True


def read_needs(reader: Reader, value: Any) -> Needs:
    if value is None:
        return Needs()
    data = dict(reader.mapping(value, "needs", tuple(Needs.__dataclass_fields__)))
    types: dict[str, tuple[type, ...]] = {
        "cuda": (bool,), "gpus": (int,), "gpu_memory": (str,), "torch": (str,), "python": (str,), "packages": (list,),
        "platform": (str,), "compiler": (bool,), "capability": (str,), "seconds": (int, float),
    }  # fmt: skip
    for key in [key for key in data if key in types and not isinstance(data[key], types[key])]:
        reader.report(f"needs.{key}", data.pop(key), " or ".join(kind.__name__ for kind in types[key]))
    for key in ("torch", "python"):
        if key in data and not is_range(data[key]):
            reader.report(f"needs.{key}", data.pop(key), "a PEP 440 range in quotes, such as '<2.0'")
    if "gpu_memory" in data and conditions.quantity(data["gpu_memory"]) is None:
        reader.report("needs.gpu_memory", data.pop("gpu_memory"), "a size such as '600 MiB'")
    data["packages"] = tuple(map(str, data.get("packages", ())))
    if data.get("gpus", 0) > 0 or data.get("gpu_memory"):
        data["cuda"] = True
    return Needs(**{key: data[key] for key in data if key in types})


def read_fact(reader: Reader, value: Any, field: str) -> FactRule:
    data = reader.mapping(value, field, ("when", "speaks", "en", "zh"))
    if data.get("speaks") not in ("for", "against"):
        reader.report(f"{field}.speaks", data.get("speaks"), "for or against")
    text = reader.bilingual({key: data.get(key) for key in LANGS}, field)
    return FactRule(reader.condition(data.get("when"), f"{field}.when", None), data.get("speaks", "for"), text)


def read_source(reader: Reader, value: Any, field: str, documents: Mapping[str, Any]) -> Source:
    data = reader.mapping(value, field, ("document", "section", "url", "title"))
    if ("document" in data) == ("url" in data):
        reader.report(field, dict(data), "either document and section, or url and title")
    for key, other in (("document", "section"), ("url", "title")):
        if key in data:
            reader.text(data.get(other), f"{field}.{other}")
    if "document" in data and data["document"] not in documents:
        reader.report(f"{field}.document", data["document"], f"a key of data/documents.yaml: {', '.join(documents)}")
    if "url" in data and not re.match(r"https://[^\s]+\Z", str(data["url"])):
        reader.report(f"{field}.url", data["url"], "a page that opens with https://")
    return Source(**{key: str(data[key]) for key in ("document", "section", "url", "title") if key in data})


def read_look_alike(reader: Reader, value: Any, field: str) -> LookAlike:
    data = reader.mapping(value, field, ("id", "near_miss"))
    other = reader.text(data.get("id"), f"{field}.id", wanted="the id of another entry")
    near = reader.text(data["near_miss"], f"{field}.near_miss") if "near_miss" in data else None
    return LookAlike(other, near)


def read_asks(reader: Reader, value: Any) -> dict[str, tuple[str, ...]]:
    result: dict[str, tuple[str, ...]] = {}
    data = reader.mapping(value, "asks", LANGS)
    for lang in LANGS:
        given = reader.items(data.get(lang), f"asks.{lang}")
        for line in given:
            if not isinstance(line, str):
                reader.report(f"asks.{lang}", line, "a text; put it in quotes (YAML reads a colon in it as a mapping)")
        lines = [line.strip() for line in given if isinstance(line, str) and line.strip()]
        if len(set(lines)) < 5:
            reader.report(f"asks.{lang}", len(set(lines)), "five or more questions, unlike one another")
        result[lang] = tuple(lines)
    return result


def read_entry(text: str, *, file: str, id: str, category: str, folder: str, documents: Mapping[str, Any]) -> tuple[Pitfall | None, list[Problem]]:
    """Read one entry. Returns (entry, []) or (None, every problem found)."""
    reader = Reader(file)
    for name, value in (("id", id), ("category", category)):
        if not ID.match(value):
            reader.report(name, value, "a folder name in lower case, words joined by hyphens")
    try:
        data = load_yaml(text)
    except yaml.YAMLError as error:
        reader.report("(YAML)", " ".join(str(error).split()), "plain YAML")
        return None, reader.problems
    data = reader.mapping(data, "(top)", FIELDS)
    kind: Kind = data.get("kind") if data.get("kind") in get_args(Kind) else "error"  # type: ignore[assignment]
    if data.get("kind") not in KINDS:
        reader.report("kind", data.get("kind"), f"one of {', '.join(KINDS)}")
    if data.get("effect") not in EFFECTS:
        reader.report("effect", data.get("effect"), f"one of {', '.join(EFFECTS)}")
    signatures = tuple(read_signature(reader, item, f"signatures[{number}]") for number, item in enumerate(reader.items(data.get("signatures"), "signatures")))
    if kind != "silent" and not signatures:
        reader.report("signatures", data.get("signatures"), "at least one message, since kind is not silent")
    symptom = reader.pattern(data["symptom"], "symptom") if "symptom" in data else None
    no_repro = None
    if "repro" in data:
        no_repro = reader.bilingual(reader.mapping(data["repro"], "repro", ("none",)).get("none"), "repro.none")
    if kind == "silent" and not symptom and not no_repro:
        reader.report("symptom", None, "the pattern of the 'symptom: ...' line that repro.py says")
    sources = tuple(read_source(reader, item, f"sources[{number}]", documents) for number, item in enumerate(reader.items(data.get("sources"), "sources")))
    if not any(source.url for source in sources):
        reader.report("sources", len(sources), "at least one page (url, title) that a reader can open")
    pitfall = Pitfall(
        id=id, category=category, folder=folder, kind=kind, effect=str(data.get("effect")),
        title=reader.bilingual(data.get("title"), "title"), signatures=signatures, symptom=symptom,
        asks=read_asks(reader, data.get("asks")),
        cause=reader.bilingual(data.get("cause"), "cause"), fix=reader.bilingual(data.get("fix"), "fix"),
        check=reader.bilingual(data.get("check"), "check"), sources=sources, no_repro=no_repro,
        needs=read_needs(reader, data.get("needs")),
        look_alikes=tuple(
            read_look_alike(reader, item, f"look_alikes[{number}]")
            for number, item in enumerate(reader.items(data.get("look_alikes"), "look_alikes"))
        ),
        facts=tuple(
            read_fact(reader, item, f"facts[{number}]")
            for number, item in enumerate(reader.items(data.get("facts"), "facts"))
        ),
    )  # fmt: skip
    return (None if reader.problems else pitfall), reader.problems
