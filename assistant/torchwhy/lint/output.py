"""Findings as text, JSON, SARIF 2.1.0 and GitHub's annotations."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from torchwhy.answers.screen_lines import ScreenLine
from torchwhy.knowledge.site import page_of_id
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import escaped

from .finding import Finding

MAX_LINE_CHARS = 160


def text_lines(
    findings: Sequence[Finding], files: int, lang: str, statistics: bool = False
) -> Iterator[ScreenLine]:
    """A paragraph a finding, or a line a rule with the number of its findings; then how many there are."""
    if statistics:
        for id, count in Counter(each.id for each in findings).most_common():
            yield ScreenLine(f"{count:6}  {id}", page=page_of_id(id, lang) or "")
    else:
        for each in findings:
            yield from _paragraph(each, lang)
    number = phrase("lint_file" if files == 1 else "lint_files", lang, number=str(files))
    if findings:
        yield ScreenLine(phrase("lint_count", lang, count=str(len(findings)), files=number))
    else:
        yield ScreenLine(phrase("lint_none", lang, files=number))


def _paragraph(each: Finding, lang: str) -> Iterator[ScreenLine]:
    """Place, sentence, the line with a mark below it, the fix, where to read on."""
    cell = f":{phrase('lint_cell', lang, cell=str(each.cell))}" if each.cell else ""
    sure = phrase(f"lint_{each.sure}", lang)
    place = f"{escaped(each.path)}{cell}:{each.line}:{each.column}"
    yield ScreenLine(
        f"{place}: {sure}: {escaped(each.message[lang])}",
        "where",
        each.path,
        at=0 if each.cell else each.line,
    )
    shown = each.text.rstrip().expandtabs(1)
    if len(shown) <= MAX_LINE_CHARS:
        last = each.end_column - 1 if each.end_line == each.line else len(shown)
        width = max(1, min(last, len(shown)) - each.column + 1)
        yield ScreenLine(f"    {escaped(shown)}", "code")
        yield ScreenLine(f"    {' ' * (each.column - 1)}{'^' * width}", "message")
    yield ScreenLine(f"    {phrase('lint_fix', lang, fix=escaped(each.fix[lang]))}")
    page = page_of_id(each.id, lang)
    yield ScreenLine(f"    torchwhy show {each.id}", "dim", page=page or "")
    yield from [ScreenLine(f"    {page}", "dim", page=page)] if page else []
    yield ScreenLine("")


def as_json(findings: Sequence[Finding], lang: str) -> dict[str, object]:
    told = [{**each.as_json(lang), "page": page_of_id(each.id, lang)} for each in findings]
    return {"schema": 1, "findings": told}


def as_sarif(findings: Sequence[Finding], version: str, lang: str) -> dict[str, Any]:
    """A log of one run, as code scanning services read it."""
    rules = sorted({each.id for each in findings})
    results = [
        {
            "ruleId": each.id,
            "ruleIndex": rules.index(each.id),
            "level": "warning" if each.sure == "wrong" else "note",
            "message": {"text": f"{each.message[lang]}. {each.fix[lang]}"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _uri(each.path)},
                        "region": {"startLine": each.line, "startColumn": each.column},
                    }
                }
            ],
        }
        for each in findings
    ]
    driver = {"name": "torchwhy", "version": version, "rules": [_rule(each, lang) for each in rules]}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return {"$schema": schema, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _uri(path: str) -> str:
    """A path as an address relative to where the check ran: a reader refuses a log for one that is none."""
    return quote(os.fsencode(path.replace("\\", "/") if os.name == "nt" else path))


def _rule(id: str, lang: str) -> dict[str, str]:
    """A rule, with the page that explains it where the documentation site has an address."""
    page = page_of_id(id, lang)
    return {"id": id} if page is None else {"id": id, "helpUri": page}


def github_lines(findings: Sequence[Finding], lang: str) -> Iterator[str]:
    """Workflow commands, which GitHub Actions shows beside the lines."""
    for each in findings:
        level = "error" if each.sure == "wrong" else "notice"
        place = f"file={_property(each.path)},line={each.line},col={each.column},title={each.id}"
        page = page_of_id(each.id, lang)
        told = f"{each.message[lang]}. {each.fix[lang]}" + (f"\n{page}" if page else "")
        yield f"::{level} {place}::{_data(told)}"


def _data(text: str) -> str:
    """What the runner reads as the same text; a character that would act on the log is written out."""
    coded = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return escaped(coded)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
