"""The change that a message asks for: the entry's template with this message's numbers, as an edit of the
user's line where that follows.
"""

from __future__ import annotations

import ast
import keyword
import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from torchwhy.knowledge.conditions import comparisons, holds
from torchwhy.knowledge.entry import (
    LAST,
    OF_THE_SOURCE,
    OWN_CLASS,
    PARAMETERS,
    RECEIVER,
    WRAPPED,
    EditTemplate,
)
from torchwhy.knowledge.entry import ChangeTemplate as Template
from torchwhy.knowledge.vocabulary import is_fact, is_version
from torchwhy.paste.place import UserFrame
from torchwhy.text.lazy_re import lazy_compile

from .edit_reach import has_run, reaches_further
from .in_place import made_and_written
from .line_edits import with_appended, with_returned, with_text, with_wrapped
from .origins import Origin, origin_of
from .own_source import (
    Called,
    MakingCall,
    OwnFile,
    at_argument,
    calls_of,
    calls_that_made,
    class_around,
    failing_call,
    has_keyword,
    keyword_of,
    made_by,
    made_outside,
    names_in,
    number_of,
    only_call,
    only_return,
    parameters_of,
    value_of,
)

if TYPE_CHECKING:
    from torchwhy.knowledge.facts import Facts

NAME = lazy_compile(r"\{(\w+)\}")
# A name that stands for a thing: no attribute, no function that is called, no keyword of a call
VARIABLE = lazy_compile(r"(?<![\w.\"'])[A-Za-z_]\w*\b(?!\s*(?:\(|=(?!=)))")
COMMENT = lazy_compile(r"#.*")
NO_VARIABLES = frozenset([*keyword.kwlist, "torch", "nn", "F", "np", "os", "dist"])
MAX_SIZE_DIGITS, MAX_SIZES = 12, 32  # of a shape whose elements are counted
MAX_VALUE_CHARS = 60  # of a number or name of the message
TURNS = frozenset(["transpose", "permute", "movedim", "moveaxis", "swapaxes", "swapdims", "t", "T", "mT"])
UNSAFE = lazy_compile(r"[\x00-\x1f\x7f`]")


class Change(NamedTuple):
    """What to change, in the answer's language.

    `says`: what the numbers of the message mean, "" where the entry's own sentence on this wording says it.
    `text` and `code`: the change in words and as code. Where it is an edit of a line of the user's, `before`
    and `after` are that line, in `file` at `line`.
    `alternative`: another way. `usual`: no run has shown that it fixes a program, so it is what is usually
    done, in words; its code is an example in other names, and it edits no line.
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


def change_of(
    templates: tuple[Template, ...],
    values: Mapping[str, str],
    lang: str,
    here: UserFrame | None,
    source: OwnFile | None = None,
    facts: Facts | None = None,
    callers: Sequence[UserFrame] = (),
    origins: Sequence[Origin] = (),
) -> Change | None:
    """The first template that this message can fill, in that language; None where none can.

    `callers`: the user's own lines from which the function of `here` was called, the innermost first.
    `origins`: of what the failing line uses.
    """
    message = with_derived(values)
    for template in templates:
        change = _of_template(template, message, lang, here, source, facts, callers, origins)
        if change is not None:
            return change
    return None


def _of_template(
    template: Template,
    message: Mapping[str, str],
    lang: str,
    here: UserFrame | None,
    source: OwnFile | None,
    facts: Facts | None,
    callers: Sequence[UserFrame],
    origins: Sequence[Origin],
) -> Change | None:
    """The change of one template; None where this message does not fill it."""
    values = {**message, **_of_source(template, message, source)}
    if not _applies(template, values, facts):
        return None
    change = Change(
        _filled(template.says[lang], values) if template.says else "",
        _filled(template.do[lang], values) if template.do else "",
        _filled(template.code, values) if template.code else "",
        _filled(template.other[lang], values) if template.other else "",
    )
    fits = False
    for edit in template.edits:
        try:
            edited = _edited(change, edit, values, here, source, callers[0] if callers else None, origins)
        except RecursionError:  # a line nested deeper than Python's own tools follow it
            edited = None
        if edited is not None:
            fits = True
            stays = edit.defines or _stays(edited, source, callers)  # what had another name has never run
            if "edit" in template.applied and edited.after and stays:
                return edited
            break
    if template.only_as_edit and not fits:
        return None
    return change if "code" in template.applied else as_usual(change, here)


def _stays(edited: Change, source: OwnFile | None, callers: Sequence[UserFrame]) -> bool:
    """Whether the edit changes the failing case alone, as far as the file tells."""
    if source is None or edited.line is None:
        return False
    if edited.file != source.file:
        return True
    outside = callers[-1] if callers and callers[-1].file == source.file else None
    if outside is not None and outside.line != edited.line and has_run(source, outside):
        return False
    return not reaches_further(source, edited.line, edited.before, edited.after)


def as_usual(change: Change, here: UserFrame | None) -> Change:
    """The change as what is usually done. Code all of whose names are in the user's line would be read as
    an edit of it, which it is not, so it is left out.
    """
    names = set(VARIABLE.findall(COMMENT.sub("", change.code))) - NO_VARIABLES
    own = set(VARIABLE.findall(here.code)) if here is not None else set()
    code = "" if names and names <= own else change.code
    if not code and not change.text:
        return change._replace(text=change.alternative, code="", alternative="", usual=True)
    return change._replace(code=code, usual=True)


def _of_source(template: Template, values: Mapping[str, str], source: OwnFile | None) -> dict[str, str]:
    """What the user's file says that the template may fill in."""
    for edit in template.edits if source is not None else ():
        owner, dot, _ = _filled(edit.returns or "", values).partition(".")
        names = parameters_of(source, owner, "forward") if source is not None and dot else []
        if names:
            return {PARAMETERS: ", ".join(names)}
    return {}


def _applies(template: Template, values: Mapping[str, str], facts: Facts | None) -> bool:
    """Whether its condition holds and every name that it fills in is in this message."""
    texts = [template.code or ""]
    texts += [text.en for text in (template.says, template.do, template.other) if text]
    if any(name not in values for text in texts for name in NAME.findall(text)):
        return False
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
        return found[0] if value is None else UNSAFE.sub(" ", value)[:MAX_VALUE_CHARS].strip().rstrip(".")

    return NAME.sub(put, text)


def _edited(
    change: Change,
    edit: EditTemplate,
    values: Mapping[str, str],
    here: UserFrame | None,
    source: OwnFile | None,
    caller: UserFrame | None,
    origins: Sequence[Origin],
) -> Change | None:
    """The change as an edit of the user's own line; None where it does not follow from what is known."""
    names = {name for part in edit.filled for name in NAME.findall(part or "")}
    if here is None or not names <= {*values, *OF_THE_SOURCE} or not _holds_in(source, here, edit):
        return None
    if source is not None and edit.made and edit.keyword:
        return _with_keyword(change, source, calls_that_made(source, here, edit.made), edit, values)
    if source is not None and edit.made and edit.rename:
        return _renamed(change, source, calls_that_made(source, here, edit.made), edit.rename)
    if edit.made:
        return _edited_maker(change, edit, values, here, source, caller)
    if edit.called or edit.returns or edit.defines or (edit.written and source is not None):
        # a line elsewhere in the file is meant: the failing one does not stand for it
        return _edited_elsewhere(change, edit, values, here, source) if source is not None else None
    if not here.code:
        return None
    if edit.origin:
        return _behind_origin(change, edit, here, origins)
    if edit.wrap:
        around = _filled(edit.wrap, values)
        after = with_wrapped(here, edit.argument, edit.name, around, _item(edit, values), edit.call)
    elif not edit.append and not edit.line:
        return change._replace(file=here.file, line=here.line, before=here.code)
    elif edit.append:
        after = with_appended(here, edit.argument, edit.name, _filled(edit.append, values), edit.call)
    else:
        old, new = _filled(edit.line or "", values), _filled(edit.to or "", values)
        after = with_text(here.code, old, new)
    if after is None or after == here.code:
        return None
    return change._replace(file=here.file, line=here.line, before=here.code, after=after)


def _edited_elsewhere(
    change: Change, edit: EditTemplate, values: Mapping[str, str], here: UserFrame, source: OwnFile
) -> Change | None:
    if edit.called:
        return _edited_call(change, source, here, edit, values)
    if edit.returns:
        found = only_return(source, *_filled(edit.returns, values).split("."))
        return _returned(change, edit, values, source, *found) if found else None
    if edit.defines:
        return _defined(change, source, *_filled(edit.defines, values).split("."))
    return _behind_written(change, edit, values, source)


def _holds_in(source: OwnFile | None, here: UserFrame, edit: EditTemplate) -> bool:
    """Whether the file uses one of the names of `has`, and none of those of `lacks`."""
    if not edit.has and not edit.lacks:
        return True
    if source is None:
        return False
    used = names_in(source.tree)
    has = not edit.has or not used.isdisjoint(edit.has.split("|"))
    return has and not (edit.lacks and not used.isdisjoint(edit.lacks.split("|")))


def _item(edit: EditTemplate, values: Mapping[str, str]) -> int | None:
    """Which thing of a list is meant; -1 of the last, MAX_SIZES where that is no number."""
    if edit.item is None:
        return None
    if edit.item == LAST:
        return -1
    text = _filled(edit.item, values)
    return int(text) if text.isdecimal() and len(text) < MAX_SIZE_DIGITS else MAX_SIZES


def _returned(
    change: Change, edit: EditTemplate, values: Mapping[str, str], source: OwnFile, line: int, text: str
) -> Change | None:
    """That line of a method, pointed at or with something behind the value of which the message speaks."""
    found = change._replace(file=source.file, line=line, before=text)
    if not edit.append:
        return found
    after = with_returned(text, _item(edit, values) or 0, edit.append)
    return found._replace(after=after) if after else None


def _defined(change: Change, source: OwnFile, owner: str, name: str) -> Change | None:
    """The only method of that class that nothing calls, under the name that is missing."""
    classes = [node for node in source.tree.body if isinstance(node, ast.ClassDef) and node.name == owner]
    methods = [
        node
        for cls in classes
        for node in cls.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("__")
    ]
    used = {node.attr for node in ast.walk(source.tree) if isinstance(node, ast.Attribute)}
    left = [node for node in methods if node.name not in used and len(node.args.args) > 1]
    if len(left) != 1 or any(node.name == name for node in methods):
        return None
    before = source.lines[left[0].lineno - 1].strip()
    after = before.replace(f"def {left[0].name}(", f"def {name}(")
    return change._replace(file=source.file, line=left[0].lineno, before=before, after=after)


def _renamed(change: Change, source: OwnFile, calls: list[Called], name: str) -> Change | None:
    """The only one of these calls under another name; only of `nn.Name(`, which needs no other import."""
    if len(calls) != 1 or not isinstance(calls[0].node.func, ast.Attribute):
        return None
    before, old = calls[0].text.strip(), f".{calls[0].node.func.attr}("
    if before.count(old) != 1:
        return None
    after = before.replace(old, f".{name}(")
    return change._replace(file=source.file, line=calls[0].node.lineno, before=before, after=after)


def _behind_written(
    change: Change, edit: EditTemplate, values: Mapping[str, str], source: OwnFile
) -> Change | None:
    """The suffix behind the only result of that operation that the file writes into in place."""
    made = made_and_written(source, _filled(edit.written or "", values))
    if made is None:
        return None
    line, text, end = made
    after = text[:end] + (edit.append or "") + text[end:]
    return change._replace(file=source.file, line=line, before=text, after=after)


def _behind_origin(
    change: Change, edit: EditTemplate, here: UserFrame, origins: Sequence[Origin]
) -> Change | None:
    """The suffix behind the only call of that name in the line that made the failing call's argument."""
    call = failing_call(here)
    if call is None or not 0 <= edit.argument < len(call.args):
        return None
    origin = origin_of(origins, ast.unparse(call.args[edit.argument]))
    maker = only_call(origin.code, edit.origin or "") if origin is not None else None
    if origin is None or maker is None or maker.end_lineno != 1 or not origin.code.isascii():
        return None
    at, suffix = maker.end_col_offset or 0, edit.append or ""
    if origin.code[at:].startswith(suffix):
        return None
    after = origin.code[:at] + suffix + origin.code[at:]
    return change._replace(file=origin.file, line=origin.line, before=origin.code, after=after)


def _edited_maker(
    change: Change,
    edit: EditTemplate,
    values: Mapping[str, str],
    here: UserFrame,
    source: OwnFile | None,
    caller: UserFrame | None,
) -> Change | None:
    if source is None or not edit.made:
        return None
    makers = made_by(source, here, edit.made, edit.argument, edit.name)
    if edit.was:
        was = _filled(edit.was, values)
        certain = [made for made in makers if made.value is not None and str(made.value) == was]
        # a layer whose size is a name is the one only where no other could be
        makers = certain or ([] if any(made.value is not None for made in makers) else makers)
    if len(makers) != 1:
        return None
    if _is_turned(here):
        return None
    made, new = makers[0], _filled(edit.to or "", values)
    outside = made_outside(source, here, caller, made) if caller is not None else None
    was = _filled(edit.was or "", values)
    if outside is not None and (not new or (outside.value is not None and str(outside.value) == was)):
        made = outside
    if not new:
        return change._replace(file=made.file, line=made.line, before=made.text.strip())
    if "{" + WRAPPED + "}" in new:
        simple = made.argument.replace(".", "").isidentifier() or made.argument.isdecimal()
        new = new.replace("{" + WRAPPED + "}", made.argument if simple else f"({made.argument})")
    after = made.with_argument(new)
    product = _as_product(made, new)
    if product:
        after += f"  # {product}"
    return change._replace(file=made.file, line=made.line, before=made.text.strip(), after=after)


def _is_turned(here: UserFrame) -> bool:
    """Whether the line turns what it gives the layer: then that may be the mistake, and a layer of the size
    that arrives would run and be wrong.
    """
    call = failing_call(here)
    given = [node for each in (call.args[:1] if call is not None else ()) for node in ast.walk(each)]
    return any(isinstance(node, ast.Attribute) and node.attr in TURNS for node in given)


def _edited_call(
    change: Change, source: OwnFile, here: UserFrame, edit: EditTemplate, values: Mapping[str, str]
) -> Change | None:
    """The only call of that name in the file, as far as `where` and `was` tell them apart."""
    wanted_name = class_around(source, here) if edit.called == OWN_CLASS else edit.called
    calls = calls_of(source, wanted_name or "")
    name, _, wanted = _filled(edit.where or "", values).partition("=")
    if name:
        given = [(call, keyword_of(call.node, name)) for call in calls]
        calls = [call for call, node in given if node is not None and str(value_of(source, node)) == wanted]
    if not edit.to:
        return _with_keyword(change, source, calls, edit, values)
    places = [(call, at_argument(source, call.node, edit.argument, edit.name)) for call in calls]
    was = _filled(edit.was or "", values)
    found = [
        (call, made)
        for call, made in places
        if made is not None and (not was or _value_at(source, made) == was)
    ]
    if len(found) != 1:
        return None
    call, made = found[0]
    new = _filled(edit.to, values)
    if "{" + RECEIVER + "}" in new:
        if not isinstance(call.node.func, ast.Attribute) or not isinstance(call.node.func.value, ast.Name):
            return None  # what is called would run twice
        new = new.replace("{" + RECEIVER + "}", call.node.func.value.id)
    return change._replace(
        file=made.file, line=made.line, before=made.text.strip(), after=made.with_argument(new)
    )


def _value_at(source: OwnFile, made: MakingCall) -> str:
    """The whole number that an argument gives, as text; "" where that is not known."""
    try:
        value = value_of(source, ast.parse(made.argument, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    return "" if value is None else str(value)


def _with_keyword(
    change: Change, source: OwnFile, calls: list[Called], edit: EditTemplate, values: Mapping[str, str]
) -> Change | None:
    """The only one of these calls with the keyword added, or pointed at where there is none to add; of
    several, the only one that shuffles (the loader of the training data).
    """
    keyword = _filled(edit.keyword or "", values)
    name = keyword.partition("=")[0]
    calls = [call for call in calls if not has_keyword(call.node, name)]
    if len(calls) > 1:
        calls = [call for call in calls if has_keyword(call.node, "shuffle", True)]
    if len(calls) != 1:
        return None
    call = calls[0]
    found = change._replace(file=source.file, line=call.node.lineno, before=call.text.strip())
    return found._replace(after=call.with_keyword(keyword)) if keyword and call.end else found


def _as_product(made: MakingCall, new: str) -> str:
    """The new number as channels by height by width, where the old one was written so; "" otherwise."""
    try:
        node = ast.parse(made.argument, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return ""
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        node = node.left
    channels = number_of(node)
    if made.argument.count("*") != 2 or not channels or not new.isdecimal() or int(new) % channels:
        return ""
    side = math.isqrt(int(new) // channels)
    return f"{channels} * {side} * {side}" if side > 1 and side * side * channels == int(new) else ""


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
