"""The line that gave a model's name the weights alone, or the report of `load_state_dict`."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, own_lines
from torchwhy.source.module import Module
from torchwhy.source.nodes import constant, inside, last_name, receiver
from torchwhy.source.roles import is_module, is_module_class, loaded, saved_weights


def model_filled(line: FailingLine, values: Values) -> LineEdit | None:
    """Where the only name of the failing line that is such a value got it."""
    source, statement = line.file, line.failing
    names = {each.id: each for each in inside(statement, ast.Name) if isinstance(each.ctx, ast.Load)}
    edits = []
    for name in names.values():
        node = _assigned(line, source, name)
        if (
            isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and not _is_conditional(source, node, statement)
        ):
            target = node.targets[0]
            if isinstance(target, ast.Name) and node.end_lineno == node.lineno:
                edits.append(_of_assignment(line, source, target.id, node, values))
    found = [each for each in edits if each is not None]
    return found[0] if len(found) == 1 else None


def _assigned(line: FailingLine, source: Module, name: ast.Name) -> ast.AST | None:
    """What gave the name its value: the line above, or the one where a report of `load_state_dict` was kept."""
    reports = line.calls_behind(name, "load_state_dict")
    if len(reports) == 1:
        return source.statement(reports[0])
    at, given = line.where_given(name)
    bound = source.bindings(given) if at.source is source and isinstance(given, ast.Name) else []
    return bound[0].node if bound else None


def _is_conditional(source: Module, node: ast.stmt, statement: ast.stmt) -> bool:
    """Whether it may not have run when the statement does."""
    around = {*source.above(statement)}
    return any(isinstance(each, ast.If | ast.Try) and each not in around for each in source.above(node))


def _of_assignment(
    line: FailingLine, source: Module, name: str, node: ast.Assign, values: Values
) -> LineEdit | None:
    value = node.value
    text = source.lines[node.lineno - 1]
    written = ast.get_source_segment(source.text, value)
    if written is None or own_lines(source, node) is None:
        return None
    if isinstance(value, ast.Call) and last_name(value.func) == "load_state_dict":
        owner = receiver(value)
        made = ast.get_source_segment(source.text, owner) if owner is not None else None
        if isinstance(owner, ast.Name):
            after = written if owner.id == name else f"{written}\n{_indent(text)}{name} = {owner.id}"
        elif made is not None and is_module(source, owner):
            after = f"{name} = {made}\n{_indent(text)}{name}{written[len(made) :]}"
        else:
            return None
        edit = line.shown(node.lineno, after)
        return alone(edit)
    if not _is_file(source, value) or ("either" in values and not _is_called(source, name)):
        return None
    key = _key(source, value)
    if key is None:
        return None
    made = "" if _was_module(source, name, node) else _maker(source)
    if made is None:
        return None
    begin = f"{name} = {made}\n{_indent(text)}" if made else ""
    return alone(line.shown(node.lineno, f"{begin}{name}.load_state_dict({written}{key})"))


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _is_file(source: Module, value: ast.expr) -> bool:
    """Whether it is what `torch.load` gave, or a part of it."""
    while isinstance(value, ast.Subscript):
        value = value.value
    its = [value] if isinstance(value, ast.Call) else source.values(value)
    return len(its) == 1 and isinstance(its[0], ast.Call) and source.name(its[0].func) == "torch.load"


def _is_called(source: Module, name: str) -> bool:
    return any(isinstance(each.func, ast.Name) for each in source.called_as(name))


def _key(source: Module, value: ast.expr) -> str | None:
    """What has to be written behind the value for its weights; None where the file that was saved is another."""
    keys = {key for _, key in saved_weights(source)}
    if not source.calls("torch.save"):
        return ""
    part = constant(value.slice) if isinstance(value, ast.Subscript) else None
    if len(keys) != 1 or (part is not None and part not in keys):
        return None
    [key] = keys
    return f'["{key}"]' if key is not None and part is None else ""


def _was_module(source: Module, name: str, node: ast.Assign) -> bool:
    """Whether the name stood for a module in front of this line, in the same block."""
    above = [
        each
        for each in source.of(ast.Assign)
        if source.parent[each] is source.parent[node] and each.lineno < node.lineno
    ]
    own = [each for each in above if any(isinstance(to, ast.Name) and to.id == name for to in each.targets)]
    return bool(own) and is_module(source, own[-1].value)


def _maker(source: Module) -> str | None:
    """How the model was made whose weights were saved, or the only class of a module where nothing is needed to make it."""
    for call, _ in saved_weights(source):
        owner = receiver(call)
        made = source.values(owner)
        if len(made) == 1 and isinstance(made[0], ast.Call) and not loaded(made[0]) - _settled(source):
            return ast.get_source_segment(source.text, made[0])
    if source.calls("torch.save"):
        return None
    classes = [each for each in source.classes.values() if is_module_class(source, each)]
    init = classes[0].methods.get("__init__") if len(classes) == 1 else None
    needs = init is not None and len(init.args.args) - len(init.args.defaults) > 1
    return f"{classes[0].node.name}()" if len(classes) == 1 and not needs else None


def _settled(source: Module) -> set[str]:
    """The names that stand for one thing all over the file: imports, classes, and what is bound once."""
    bound = [each.id for each in source.of(ast.Name) if isinstance(each.ctx, ast.Store)]
    once = {each for each in bound if bound.count(each) == 1}
    return {*source.imports, *source.classes, *source.functions, *once}
