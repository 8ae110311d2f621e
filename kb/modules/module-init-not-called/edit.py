"""The call of nn.Module's `__init__`: put at the beginning, moved there, or made a call."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.line import parsed_line
from torchwhy.source.module import Class, Module
from torchwhy.source.nodes import Function, constant, inside, is_self, parameters


def set_up_first(line: FailingLine, values: Values) -> LineEdit | None:
    """Of the class whose object failed, or the nearest parent of it that does not pass the call on."""
    source, cls = line.source, _failing_class(line, values)
    seen: set[str] = set()
    while source is not None and cls is not None and cls.node.name not in seen:
        seen.add(cls.node.name)
        init = cls.methods.get("__init__")
        if init is not None:
            calls = [each for each in ast.walk(init) if _names_init(source, cls, each)]
            edit = _edit_of(line, source, cls, init, calls)
            if edit is not None or not _comes_first(line, init, calls):
                return alone(edit)
        cls = source.classes.get(cls.bases[0]) if len(cls.bases) == 1 else None
    return None


def _failing_class(line: FailingLine, values: Values) -> Class | None:
    source = line.source
    if source is None:
        return None
    name = values.get("name", "")
    if not name and any(is_self(each) for each in inside(parsed_line(line.here.code), ast.Attribute)):
        around = source.around(line.here.line or 0, ast.ClassDef)
        name = around[-1].name if around else ""
    same = [each for each in source.of(ast.ClassDef) if each.name == name]
    return source.classes[name] if len(same) == 1 else None


def _names_init(source: Module, cls: Class, node: ast.AST) -> bool:
    """`super().__init__`, `super(Net, self).__init__`, and that of a parent by its name."""
    if not isinstance(node, ast.Attribute) or node.attr != "__init__":
        return False
    owner = node.value
    if isinstance(owner, ast.Call):
        return source.name(owner.func) == "builtins.super"
    return source.name(owner) in cls.bases


def _is_call(source: Module, init: ast.Attribute) -> bool:
    """Whether it is called, and `super(Net)` without an object is not what it is called on."""
    above = source.parent[init]
    unbound = isinstance(init.value, ast.Call) and len(init.value.args) == 1
    return isinstance(above, ast.Call) and above.func is init and not unbound


def _comes_first(line: FailingLine, init: Function, calls: list[ast.AST]) -> bool:
    """Whether the call stands in front of all that `__init__` does with the object."""
    return bool(calls) and all(
        each.lineno < (line.here.line or 0) for each in calls if isinstance(each, ast.expr)
    )


def _edit_of(
    line: FailingLine, source: Module, cls: Class, init: Function, calls: list[ast.AST]
) -> LineEdit | None:
    body = init.body[1:] if isinstance(constant(getattr(init.body[0], "value", None)), str) else init.body
    if not body or len(calls) > 1:
        return None
    if not calls:
        return line.put_before(body[0], "super().__init__()") if _needs_nothing(source, cls) else None
    named = calls[0]
    assert isinstance(named, ast.Attribute)
    if not _is_call(source, named):
        above = source.parent[named]
        whole = above if isinstance(above, ast.Call) and above.func is named else named
        place = source.place_of(whole)
        if place is None or not _needs_nothing(source, cls):
            return None
        return LineEdit(place, place.with_text("super().__init__()"))
    statement = source.statement(named)
    if statement not in body[1:] or named.lineno < (line.here.line or 0):
        return None
    needed = {each.id for each in inside(statement, ast.Name)} & _bound(init)
    return line.moved([statement], before=body[0]) if not needed else None


def _bound(init: Function) -> set[str]:
    """The names that the function itself gives a value, its parameters left out."""
    stored = {each.id for each in inside(init, ast.Name) if isinstance(each.ctx, ast.Store)}
    return stored - set(parameters(init))


def _needs_nothing(source: Module, cls: Class) -> bool:
    """Whether every parent is nn.Module, or a class of the file that is set up without an argument."""
    for base in cls.bases:
        above = source.classes.get(base)
        if base == "torch.nn.Module":
            continue
        init = above.methods.get("__init__") if above is not None else None
        if above is None or (init is not None and len(init.args.args) - len(init.args.defaults) > 1):
            return False
        if len(cls.bases) > 1 and (init is not None or above.bases):
            return False
        if init is None and not _needs_nothing(source, above):
            return False
    return True
