"""A call that gives a forward other arguments than it takes."""

import ast
import re

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, alone
from torchwhy.source.kinds import class_made, forward_of
from torchwhy.source.module import Module
from torchwhy.source.nodes import inside, is_open, last_name, parameters

COMMON = ("reduction",)
OPTIONS = {  # of the constructors of losses
    "CrossEntropyLoss": ("weight", "reduction", "ignore_index", "label_smoothing"),
    "NLLLoss": ("weight", "reduction", "ignore_index"),
    "BCELoss": ("weight", "reduction"),
    "BCEWithLogitsLoss": ("weight", "pos_weight", "reduction"),
}


def with_self(line: FailingLine, values: Values) -> LineEdit | None:
    """`self` in front of what the class's forward takes; it has never run, so nothing else can change."""
    forward = _forward(line, values)
    if line.source is None or forward is None or forward.decorator_list or "self" in parameters(forward):
        return None
    first = forward.args.args[0] if forward.args.args else None
    if first is None or len(parameters(forward)) + 1 != int(values["got"]):
        return None
    edit = line.shown(first.lineno)
    if edit is None:
        return None
    text, at = edit.place.text, first.col_offset
    return edit._replace(after=(text[:at] + "self, " + text[at:]).strip(), alone=True)


def each_in_turn(line: FailingLine, values: Values) -> LineEdit | None:
    """The layers of a Sequential that all take what it is given, called one after the other."""
    source, call, statement = line.file, line.failed, line.statement()
    made = source.values(call.func) if call is not None else []
    sequence = made[0] if len(made) == 1 else None
    if is_open(call) or not isinstance(sequence, ast.Call):
        return None
    simple = isinstance(statement, ast.Return) or (
        isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    )
    first = call.args[0]
    if not simple or getattr(statement, "value", None) is not call or not isinstance(first, ast.Name):
        return None
    layers = [made for each in sequence.args for made in inside(each, ast.Call) if class_made(source, made)]
    takes = {len(parameters(forward[1])) for each in layers if (forward := forward_of(source, each))}
    if takes != {len(call.args) + len(call.keywords) + 1} or len(source.called_as(last_name(call.func))) > 1:
        return None
    whole = source.place_of(sequence)
    if whole is None or statement is None or not isinstance(sequence.func, ast.Attribute):
        return None
    inner = ast.unparse(
        sequence.args[0].value if isinstance(sequence.args[0], ast.Starred) else ast.List(sequence.args)
    )
    listed = LineEdit(whole, whole.with_text(f"{ast.unparse(sequence.func.value)}.ModuleList({inner})"))
    kept = statement.targets[0] if isinstance(statement, ast.Assign) else first
    name, others = ast.unparse(kept), [*map(ast.unparse, [*call.args[1:], *call.keywords])]
    rows = [
        *([f"{name} = {first.id}"] if name != first.id else []),
        f"for layer in {ast.unparse(call.func)}:",
        f"    {name} = layer({', '.join([name, *others])})",
        *([f"return {name}"] if isinstance(statement, ast.Return) else []),
    ]
    indent = source.lines[statement.lineno - 1][: statement.col_offset]
    turn = (
        line.shown(statement.lineno, f"\n{indent}".join(rows))
        if statement.end_lineno == statement.lineno
        else None
    )
    return alone(turn.with_more(listed)) if turn is not None else None


def without_what_it_does_not_take(line: FailingLine, values: Values) -> LineEdit | None:
    """Only as many arguments as forward takes, where nothing is lost: what is left out is None, or is read
    elsewhere. What is read nowhere else was made for this call, so forward lacks it.
    """
    call, most = line.failed, int(values["want"]) - 1
    if line.source is None or is_open(call) or call.keywords or most < 1:
        return None
    kept, extra = call.args[:most], call.args[most:]
    forward = _forward(line, values)
    if values["where"] != "Sequential" and forward is None:
        return None
    names = parameters(forward)[1:] if forward is not None else []
    misplaced = any(last_name(each) in names for each in extra)
    if misplaced or any(_is_none(each) for each in kept):
        return None
    if not extra or not all(_is_none(each) or _has_other_use(line.source, each) for each in extra):
        return None
    return alone(line.put(call, f"{ast.unparse(call.func)}({', '.join(map(ast.unparse, kept))})"))


def with_what_was_bound_for_it(line: FailingLine, values: Values) -> LineEdit | None:
    """The names that were bound for the call and are read nowhere, where they are as many as it lacks."""
    call, missing = line.failed, re.findall(r"'(\w+)'", values["names"])
    if is_open(call) or call.keywords or len(missing) != int(values["count"]):
        return None
    unread = line.unread(call)
    named = [each for each in missing if each in unread]
    found = named if len(named) == len(missing) else unread
    if len(found) != len(missing):
        return None
    return alone(
        line.put(call, f"{ast.unparse(call.func)}({', '.join([*map(ast.unparse, call.args), *found])})")
    )


def under_its_name(line: FailingLine, values: Values) -> LineEdit | None:
    """A keyword that forward does not know, as the only parameter that nothing else of the call fills; by
    its place where it is all that the call gives.
    """
    call = line.failed
    given = [each for each in call.keywords if each.arg == values["name"]]
    if is_open(call) or len(given) != 1 or values.get("loss"):
        return None
    if not call.args and len(call.keywords) == 1:
        edit = line.put(call, f"{ast.unparse(call.func)}({ast.unparse(given[0].value)})")
    else:
        forward = _forward(line, values)
        if forward is None or forward.args.vararg or forward.args.kwonlyargs:
            return None
        takes = parameters(forward)[1 + len(call.args) :]
        free = takes[: max(0, len(takes) - len(forward.args.defaults))]
        free = [each for each in free if each not in {other.arg for other in call.keywords}]
        if len(free) != 1 or any(each.arg not in (*takes, values["name"]) for each in call.keywords):
            return None
        parts = [ast.unparse(each) for each in call.args]
        parts += [
            f"{free[0] if each in given else each.arg}={ast.unparse(each.value)}" for each in call.keywords
        ]
        edit = line.put(call, f"{ast.unparse(call.func)}({', '.join(parts)})")
    return alone(edit)


def in_the_constructor(line: FailingLine, values: Values) -> LineEdit | None:
    """The option of a loss where its object is made, and no more in the call."""
    source, call, name = line.file, line.failed, values["name"]
    made = (
        [each for each in source.values(call.func) if isinstance(each, ast.Call)] if source and call else []
    )
    if len(made) != 1 or name not in OPTIONS.get(values["where"], COMMON):
        return None
    given = [each for each in call.keywords if each.arg == name]
    if len(given) != 1 or not isinstance(given[0].value, ast.Constant) or made[0].lineno == call.lineno:
        return None
    if source.name(made[0].func) != f"torch.nn.{values['where']}":
        return None
    parts = [ast.unparse(each) for each in call.args]
    parts += [f"{each.arg}={ast.unparse(each.value)}" for each in call.keywords if each not in given]
    edit = line.put(call, f"{ast.unparse(call.func)}({', '.join(parts)})")
    moved = line.with_keyword(made, f"{name}={ast.unparse(given[0].value)}")
    return alone(edit.with_more(moved) if edit is not None else None)


def _forward(line: FailingLine, values: Values) -> ast.FunctionDef | None:
    """The forward of the only class of that name in the file."""
    source = line.source
    classes = [each for each in source.of(ast.ClassDef) if each.name == values["where"]] if source else []
    found = [
        each
        for cls in classes
        for each in cls.body
        if isinstance(each, ast.FunctionDef) and each.name == "forward"
    ]
    return found[0] if len(classes) == len(found) == 1 else None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _has_other_use(source: Module, node: ast.expr) -> bool:
    """Whether a name, or a part of one, is read at another place of the same function as well."""
    text = ast.unparse(node)
    same = [each for each in inside(source.scope(node), ast.expr) if ast.unparse(each) == text]
    return (
        isinstance(node, NAMED)
        and sum(isinstance(each.ctx, ast.Load) for each in same if isinstance(each, NAMED)) > 1
    )
