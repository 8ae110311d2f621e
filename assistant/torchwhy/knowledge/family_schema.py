"""From the text of one `_families/<id>.yaml` to a `Family`, or to every problem at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import yaml

from torchwhy.text.language import LANGS, Lang

from .entry import ID, Problem
from .family import NO, YES, Check, CheckAnswer, Family
from .schema import Reader, load_yaml, read_source, yaml_problem

FIELDS = ("title", "about", "members", "checks", "sources")
CHECK_FIELDS = ("ask", "answers")
ANSWER_FIELDS = ("id", "label", "signs", "raises", "lowers")
MIN_MEMBERS, MIN_CHECKS, MAX_CHECKS, MIN_ANSWERS = 2, 2, 3, 2


def read_family(
    text: str,
    *,
    file: str,
    id: str,
    documents: Mapping[str, Any],
    entries: Collection[str],
    languages: Sequence[Lang] = LANGS,
) -> tuple[Family | None, list[Problem]]:
    """Read one family. Returns (family, []) or (None, every problem found). `entries`: the ids that exist."""
    reader = Reader(file, languages)
    if not ID.match(id):
        reader.report("id", id, "a file name in lower case, words joined by hyphens")
    try:
        data = reader.mapping(load_yaml(text), "(top)", FIELDS)
    except yaml.YAMLError as error:
        return None, [*reader.problems, yaml_problem(file, text, error)]
    members = _ids(reader, data, "members", entries, "the id of an entry that exists")
    if len(members) < MIN_MEMBERS:
        reader.report("members", len(members), "two or more entries")
    checks = reader.items(data.get("checks"), "checks", _check, members)
    if not MIN_CHECKS <= len(checks) <= MAX_CHECKS:
        reader.report(
            "checks", len(checks), f"{MIN_CHECKS} or {MAX_CHECKS} questions that tell members apart"
        )
    sources = reader.items(data.get("sources"), "sources", read_source, documents)
    if not any(source.url for source in sources):
        reader.report("sources", len(sources), "at least one page (url, title) that a reader can open")
    family = Family(
        id=id,
        title=reader.bilingual(data.get("title"), "title"),
        about=reader.bilingual(data.get("about"), "about"),
        members=members,
        checks=checks,
        sources=sources,
    )
    return (None if reader.problems else family), reader.problems


def _check(reader: Reader, value: Any, field: str, members: Collection[str]) -> Check:
    data = reader.mapping(value, field, CHECK_FIELDS)
    answers = reader.items(data.get("answers"), f"{field}.answers", _answer, members)
    if len(answers) < MIN_ANSWERS or len({answer.id for answer in answers}) < len(answers):
        reader.report(f"{field}.answers", len(answers), "two or more answers, each with an id of its own")
    if not any(answer.raises for answer in answers):
        reader.report(f"{field}.answers", "nothing raised", "an answer that makes a member more likely")
    return Check(reader.bilingual(data.get("ask"), f"{field}.ask"), answers)


def _answer(reader: Reader, value: Any, field: str, members: Collection[str]) -> CheckAnswer:
    data = reader.mapping(value, field, ANSWER_FIELDS)
    id = reader.text(data.get("id"), f"{field}.id")
    label = reader.bilingual(data["label"], f"{field}.label") if "label" in data else None
    if label is None and id not in (YES, NO):
        reader.report(f"{field}.label", None, "what the answer says, unless its id is yes or no")
    signs = reader.items(data.get("signs"), f"{field}.signs", Reader.pattern)
    raises, lowers = (
        _ids(reader, data, name, members, "a member of the family", field) for name in ("raises", "lowers")
    )
    return CheckAnswer(id, label, signs, raises, lowers)


def _ids(
    reader: Reader,
    data: Mapping[str, Any],
    name: str,
    known: Collection[str],
    wanted: str,
    of: str = "",
) -> tuple[str, ...]:
    """The ids of a list, each known and each there once."""
    field = f"{of}.{name}" if of else name
    found: dict[str, None] = {}

    def read(reader: Reader, item: Any, field: str) -> None:
        if not isinstance(item, str) or item not in known or item in found:
            reader.report(field, item, f"{wanted}, once")
        else:
            found[item] = None

    reader.items(data.get(name), field, read)
    return tuple(found)
