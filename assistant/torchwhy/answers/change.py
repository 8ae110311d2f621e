"""The change that a message asks for: the entry's template with this message's numbers, as an edit of the
user's line where that follows.
"""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from torchwhy.knowledge.conditions import comparisons, holds
from torchwhy.knowledge.entry import OF_THE_PYTHON, OF_THE_SOURCE, REFUTED_CODE, EditTemplate
from torchwhy.knowledge.entry import ChangeTemplate as Template
from torchwhy.knowledge.files import EDIT_FILE
from torchwhy.knowledge.vocabulary import is_fact, is_version
from torchwhy.paste.place import UserFrame
from torchwhy.text.lazy_re import lazy_compile

if TYPE_CHECKING:
    from torchwhy.knowledge.facts import Facts
    from torchwhy.runtime.json_types import JSONObject
    from torchwhy.source.edits import FailingLine, LineEdit

NAME = lazy_compile(r"\{(\w+)\}")
# A name that stands for a thing: no attribute, no function that is called, no keyword of a call
VARIABLE = lazy_compile(r"(?<![\w.\"'])[A-Za-z_]\w*\b(?!\s*(?:\(|=(?!=)))")
COMMENT = lazy_compile(r"#.*")
NO_VARIABLES = frozenset([*keyword.kwlist, "torch", "nn", "F", "np", "os", "dist"])
MAX_SIZE_DIGITS, MAX_SIZES = 12, 32  # of a shape whose elements are counted
MAX_VALUE_CHARS = 60  # of a number or name of the message
EDIT_PARTS = ("file", "line", "before", "after")  # what an edit of one line is, as data
MAX_COMMAND_CHARS = 500  # of a command of this machine, which is no use when cut
UNSAFE = lazy_compile(r"[\x00-\x1f\x7f`]")


class Tried(NamedTuple):
    """What came of running the user's line with an edit, where it failed. `verdict`: runs, fails, not tried.

    `gives`: what the line gives then, `why`: the error, or the line to which it ran; `ms`: how long it took;
    `whole`: the program was run from its start.
    """

    verdict: str
    gives: str = ""
    why: str = ""
    ms: int = 0
    whole: bool = False


class EditedLine(NamedTuple):
    """A line of the user's and what is to stand in its place: several lines, each behind the first with its
    own indentation, or "" for none. `indent`: the spaces in front of it.
    """

    file: str
    line: int
    before: str
    after: str
    indent: str = ""

    def rows(self) -> list[tuple[str, str]]:
        """What goes ("-"), comes ("+") and stays (" "), a line each."""
        comes = self.after.replace(f"\n{self.indent}", "\n").split("\n") if self.after else []
        if self.before in comes:
            return [(" " if row == self.before else "+", row) for row in comes]
        return [("-", self.before), *(("+", row) for row in comes)]


class Change(NamedTuple):
    """What to change, in the answer's language.

    `says`: what the numbers of the message mean, "" where the entry's own sentence on this wording says it.
    `text` and `code`: the change in words and as code. `lines`: those of the user's that it edits; of the
    first one `before` and `after`, in `file` at `line`.
    `alternative`: another way. `usual`: no run has shown that it fixes a program, so it is what is usually
    done, in words; its code is an example in other names, and it edits no line. `tried`: what came of the
    edit where the program crashed; None where nobody asked; `others`: further edits that were tried there.
    `proved`: how many broken programs this very change fixed as an edit, all that it was tried on; 0 where
    that is not counted. `ready`: its code is a command for this machine, no example. `far`: no run has shown
    that its edit fixes a program, or it may reach further than the failing call: it is shown only where the
    whole program ran with it.
    """

    says: str
    text: str = ""
    code: str = ""
    alternative: str = ""
    lines: tuple[EditedLine, ...] = ()
    usual: bool = False
    tried: Tried | None = None
    proved: int = 0
    others: tuple[Change, ...] = ()
    ready: bool = False
    far: bool = False

    @property
    def file(self) -> str | None:
        return self.lines[0].file if self.lines else None

    @property
    def line(self) -> int | None:
        return self.lines[0].line if self.lines else None

    @property
    def before(self) -> str:
        return self.lines[0].before if self.lines else ""

    @property
    def after(self) -> str:
        return self.lines[0].after if self.lines else ""

    def edits(self) -> list[JSONObject]:
        """The lines that it edits: file, line, before, after."""
        return [{name: getattr(each, name) for name in EDIT_PARTS} for each in self.lines]


def change_of(
    templates: tuple[Template, ...],
    values: Mapping[str, str],
    lang: str,
    here: UserFrame | None,
    line: FailingLine | None = None,
    facts: Facts | None = None,
    folder: str = "",
) -> Change | None:
    """The first template that this message can fill, in that language; None where none can.

    `line`: what is known around `here`, without which no line is edited. `folder`: of the entry, whose
    functions make some edits.
    """
    message = with_derived(values)
    for template in templates:
        change = _of_template(template, message, lang, here, line, facts, folder)
        if change is not None:
            return change
    return None


def edits_of(
    templates: tuple[Template, ...],
    values: Mapping[str, str],
    lang: str,
    line: FailingLine,
    facts: Facts | None,
    folder: str,
) -> Iterator[Change]:
    """Every edit that this message can fill, of all templates."""
    message = with_derived(values)
    for template in templates:
        if _holds(template, message, facts):
            for edit in _made(template, message, line, folder):
                change = _worded(template, {**message, **edit.values}, lang)
                edited = _with_edit(change, template, edit, line) if change is not None else None
                if edited is not None:
                    yield edited


def _of_template(
    template: Template,
    message: Mapping[str, str],
    lang: str,
    here: UserFrame | None,
    line: FailingLine | None,
    facts: Facts | None,
    folder: str,
) -> Change | None:
    """The change of one template; None where this message does not fill it."""
    if not _holds(template, message, facts):
        return None
    found = [*_made(template, message, line, folder)]
    if template.only_as_edit and not found:
        return None
    for edit in found:
        change = _worded(template, {**message, **edit.values}, lang)
        edited = _with_edit(change, template, edit, line) if change is not None and line is not None else None
        if edited is not None and not edited.far:
            return edited
    change = _worded(template, {**message, **found[0].values} if found else message, lang)
    if change is None:
        return None
    if REFUTED_CODE in template.applied:
        change = change._replace(code="")  # a run has shown that it does not fix a program with this message
    return change if "code" in template.applied else as_usual(change, here)


def _made(
    template: Template, message: Mapping[str, str], line: FailingLine | None, folder: str
) -> Iterator[LineEdit]:
    for each in template.edits:
        edit = _edit(each, message, line, folder) if line is not None else None
        if edit is not None:
            yield edit


def _worded(template: Template, values: Mapping[str, str], lang: str) -> Change | None:
    """The change in words and as code; None where a number of theirs is not known."""
    words = [text[lang] if text else "" for text in (template.says, template.do, template.other)]
    texts = (*words, _in_language(template.code or "", lang))
    if any(name not in values for text in texts for name in NAME.findall(text)):
        return None
    says, do, other, code = (_filled(text, values) for text in texts)
    return Change(says, do, code, other, ready=not OF_THE_PYTHON.isdisjoint(NAME.findall(texts[3])))


def _in_language(code: str, lang: str) -> str:
    """The code with its comments in the language of the screen; they are written in English."""
    if lang == "en" or not code:
        return code
    from .code_comments import commented

    return commented(code)


def _with_edit(change: Change, template: Template, edit: LineEdit, line: FailingLine) -> Change | None:
    """The change as an edit; None where it edits nothing."""
    if edit.after is None:
        return None
    lines = _edited_lines(edit)
    far = "edit" not in template.applied or not (edit.alone or _stays(lines, line))
    return change._replace(lines=lines, proved=template.proved, far=far)


def _edited_lines(edit: LineEdit) -> tuple[EditedLine, ...]:
    """The lines of an edit as they stand in the file, those of its first line's file first."""
    lines = []
    for each in (edit, *edit.more):
        file, line, text, _, _ = each.place
        indent = text[: len(text) - len(text.lstrip())]
        lines.append(EditedLine(file, line or 0, text.strip(), each.after or "", indent))
    return tuple(sorted(lines, key=lambda each: (each.file != lines[0].file, each.file, each.line)))


def _edit(edit: EditTemplate, values: Mapping[str, str], line: FailingLine, folder: str) -> LineEdit | None:
    """The edit of the user's own line; None where it does not follow from what is known."""
    written = [name for text in edit if text for name in NAME.findall(text)]
    if not {*written} <= {*values, *OF_THE_SOURCE}:
        return None
    its = EditTemplate(*(_filled(text, values) if text else "" for text in edit))
    from torchwhy.source.known_line import Declined

    try:
        if edit.function:
            safe = {name: _safe(value) for name, value in values.items()}
            return _function(folder, edit.function)(line, safe)
        if its.keyword:
            return line.with_keyword(line.calls(its.call or ""), its.keyword)
        if its.line:
            return line.replaced(its.line, its.to or "")
        return line.rewritten(its.argument or "0", its.to or "{it}" + (its.append or ""), its.call or "")
    except (Declined, KeyError, RecursionError):  # a number that the message lacks; a line of any depth
        return None
    except (OSError, SyntaxError, ValueError):  # an edit.py that somebody is writing
        return None


def _function(folder: str, name: str) -> Callable[[FailingLine, Mapping[str, str]], LineEdit | None]:
    """A function of the `edit.py` that came with torchwhy; of another one, which nothing can shut in, nothing
    is run.
    """
    from torchwhy.knowledge.beside import executed, shipped_file

    path = shipped_file(Path(folder, EDIT_FILE))
    if path is None:
        return lambda line, values: None
    function: Callable[[FailingLine, Mapping[str, str]], LineEdit | None] = executed(path, None, "edit")[name]
    return function


def _stays(lines: tuple[EditedLine, ...], at: FailingLine) -> bool:
    """Whether the edit changes the failing case alone, as far as the file tells."""
    from .edit_reach import has_run, reaches_further

    source = at.source
    if source is None:
        return False
    outside = at.callers[-1] if at.callers and at.callers[-1].file == source.path else None
    ran = outside is not None and has_run(source, outside)
    for file, line, before, after, _ in lines:
        if file != source.path:
            continue
        if ran and outside is not None and outside.line != line:
            return False
        if reaches_further(source, line, before, after, line == at.here.line):
            return False
    return True


def as_usual(change: Change, here: UserFrame | None) -> Change:
    """The change as what is usually done. Code all of whose names are in the user's line would be read as
    an edit of it, which it is not, so it is left out.
    """
    names = set(VARIABLE.findall(COMMENT.sub("", change.code))) - NO_VARIABLES
    own = set(VARIABLE.findall(here.code)) if here is not None else set()
    code = "" if names and names <= own and not change.ready else change.code
    if not code and not change.text:
        return change._replace(text=change.alternative, code="", alternative="", usual=True)
    return change._replace(code=code, usual=True)


def _holds(template: Template, values: Mapping[str, str], facts: Facts | None) -> bool:
    """Whether its condition holds for this message and machine."""
    if template.when is None:
        return True
    known: dict[str, object] = dict(values)
    for left, _, right in comparisons(template.when):
        for name in (*left, right):
            if is_fact(name):
                fact = facts.get(name) if facts else None
                if fact is None or not fact.known:
                    return False
                known[name] = fact.value
    return holds(template.when, known, {name for name in known if is_version(name)})


def _filled(text: str, values: Mapping[str, str]) -> str:
    """`text` with {name} replaced by what the message says; what is not in the message stays."""

    def put(found: re.Match[str]) -> str:
        value = values.get(found[1])
        most = MAX_COMMAND_CHARS if found[1] in OF_THE_PYTHON else MAX_VALUE_CHARS
        return found[0] if value is None else _safe(value, most)

    return NAME.sub(put, text)


def _safe(value: str, most: int = MAX_VALUE_CHARS) -> str:
    return UNSAFE.sub(" ", value)[:most].strip().rstrip(".")


def with_derived(values: Mapping[str, str]) -> dict[str, str]:
    """The values of a message, with what is worked out of them (`knowledge.entry.DERIVED`)."""
    known = dict(values)
    for name, value in values.items():
        sizes = [part.strip() for part in value.strip("[]()").split(",") if part.strip()]
        if 0 < len(sizes) <= MAX_SIZES and all(
            part.isdecimal() and len(part) < MAX_SIZE_DIGITS for part in sizes
        ):
            known[f"{name}_count"] = str(math.prod(int(part) for part in sizes))
            known[f"{name}_dims"] = str(len(sizes))
            known[f"{name}_reversed"] = ", ".join(reversed(sizes))
            known[f"{name}_tail"] = ", ".join(sizes[1:])
        if value.isdecimal() and len(value) < MAX_SIZE_DIGITS:
            known[f"{name}_twice"] = str(2 * int(value))
            known[f"{name}_above"], known[f"{name}_below"] = str(int(value) + 1), str(int(value) - 1)
        if "." in value:
            known[f"{name}_layer"] = value.rpartition(".")[0]
    sizes = [values.get(name, "") for name in ("rows", "got", "want")]
    if all(size.isdecimal() and 0 < len(size) < MAX_SIZE_DIGITS for size in sizes):
        rows, got, want = map(int, sizes)
        if got and want >= 4 * got and not want % got and rows and not rows % (want // got):
            known["got_samples"] = str(rows * got // want)
    return known
