"""The change that a message asks for: the entry's template with this message's numbers, as an edit of the
user's line where that follows.
"""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from torchwhy.knowledge.conditions import comparisons, holds
from torchwhy.knowledge.entry import OF_THE_PYTHON, OF_THE_SOURCE, REFUTED_CODE, EditTemplate
from torchwhy.knowledge.entry import ChangeTemplate as Template
from torchwhy.knowledge.files import EDIT_FILE
from torchwhy.knowledge.vocabulary import is_fact, is_version
from torchwhy.paste.place import UserFrame
from torchwhy.text.lazy_re import lazy_compile

from .code_comments import commented

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
MAX_COMMAND_CHARS = 500  # of a command of this machine, which is no use when cut
UNSAFE = lazy_compile(r"[\x00-\x1f\x7f`]")


class Tried(NamedTuple):
    """What came of running the user's line with an edit, where it failed. `verdict`: runs, fails, not tried.

    `gives`: what the line gives then, `why`: the error, or the line to which it ran; `ms`: how long it took.
    """

    verdict: str
    gives: str = ""
    why: str = ""
    ms: int = 0


class Change(NamedTuple):
    """What to change, in the answer's language.

    `says`: what the numbers of the message mean, "" where the entry's own sentence on this wording says it.
    `text` and `code`: the change in words and as code. Where it is an edit of a line of the user's, `before`
    and `after` are that line, in `file` at `line`.
    `alternative`: another way. `usual`: no run has shown that it fixes a program, so it is what is usually
    done, in words; its code is an example in other names, and it edits no line. `tried`: what came of the
    edit where the program crashed; None where nobody asked. `proved`: how many broken programs this very
    change fixed as an edit, all that it was tried on; 0 where that is not counted. `ready`: its code is a
    command for this machine, no example.
    """

    says: str
    text: str = ""
    code: str = ""
    alternative: str = ""
    file: str | None = None
    line: int | None = None
    before: str = ""
    after: str = ""
    usual: bool = False
    tried: Tried | None = None
    proved: int = 0
    ready: bool = False

    def edits(self) -> list[JSONObject]:
        """The lines that it edits: file, line, before, after."""
        if not (self.file and self.line and self.before and self.after):
            return []
        return [{"file": self.file, "line": self.line, "before": self.before, "after": self.after}]


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
    made = (_edit(each, message, line, folder) for each in template.edits) if line is not None else ()
    edit = next((each for each in made if each is not None), None)
    if template.only_as_edit and edit is None:
        return None
    values = {**message, **edit.values} if edit is not None else message
    words = [text[lang] if text else "" for text in (template.says, template.do, template.other)]
    texts = (*words, commented(template.code or "", lang))
    if any(name not in values for text in texts for name in NAME.findall(text)):
        return None
    says, do, other, code = (_filled(text, values) for text in texts)
    change = Change(says, do, code, other, ready=not OF_THE_PYTHON.isdisjoint(NAME.findall(texts[3])))
    if edit is not None and line is not None and edit.after and "edit" in template.applied:
        file, number, text, _, _ = edit.place
        edited = change._replace(
            file=file, line=number, before=text.strip(), after=edit.after, proved=template.proved
        )
        if edit.alone or _stays(edited, line):
            return edited
    if REFUTED_CODE in template.applied:
        change = change._replace(code="")  # a run has shown that it does not fix a program with this message
    return change if "code" in template.applied else as_usual(change, here)


def _edit(edit: EditTemplate, values: Mapping[str, str], line: FailingLine, folder: str) -> LineEdit | None:
    """The edit of the user's own line; None where it does not follow from what is known."""
    written = [name for text in edit if text for name in NAME.findall(text)]
    if not {*written} <= {*values, *OF_THE_SOURCE}:
        return None
    its = EditTemplate(*(_filled(text, values) if text else "" for text in edit))
    try:
        if edit.function:
            safe = {name: _safe(value) for name, value in values.items()}
            return _function(folder, edit.function)(line, safe)
        if its.keyword:
            return line.with_keyword(line.calls(its.call or ""), its.keyword)
        if its.line:
            return line.replaced(its.line, its.to or "")
        return line.rewritten(its.argument or "0", its.to or "{it}" + (its.append or ""), its.call or "")
    except (KeyError, RecursionError):  # a number that the message lacks; a line of any depth
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


def _stays(edited: Change, at: FailingLine) -> bool:
    """Whether the edit changes the failing case alone, as far as the file tells."""
    from .edit_reach import has_run, reaches_further

    source = at.source
    if source is None or edited.line is None:
        return False
    if edited.file != source.path:
        return True
    outside = at.callers[-1] if at.callers and at.callers[-1].file == source.path else None
    if outside is not None and outside.line != edited.line and has_run(source, outside):
        return False
    return not reaches_further(source, edited.line, edited.before, edited.after)


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
