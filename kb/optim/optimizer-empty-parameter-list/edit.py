"""What holds no parameters: a generator that is used up, or layers that the module does not know."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.module import Class, Module
from torchwhy.source.nodes import constant, inside, last_name
from torchwhy.source.roles import is_module, is_module_class

LAZY = ("parameters", "filter", "map", "chain")
KINDS = {
    ast.List: "ModuleList",
    ast.ListComp: "ModuleList",
    ast.Dict: "ModuleDict",
    ast.DictComp: "ModuleDict",
}


def parameters_kept(line: FailingLine, values: Values) -> LineEdit | None:
    source, statement = line.file, line.statement()
    calls = [each for each in inside(statement, ast.Call) if each.args]
    made = [each for each in calls if source.name(each.func).startswith("torch.optim.")]
    if len(made) != 1:
        return None
    return alone(_listed(line, source, made[0].args[0]) or _registered(source, made[0].args[0]))


def _listed(line: FailingLine, source: Module, given: ast.expr) -> LineEdit | None:
    """A generator that is looped over before: a list in its place, where it is made."""
    if not isinstance(given, ast.Name):
        return None
    found = source.values(given)
    lazy = found[0] if len(found) == 1 else None
    if not isinstance(lazy, ast.GeneratorExp) and not (
        isinstance(lazy, ast.Call) and last_name(lazy.func) in LAZY
    ):
        return None
    scope = source.function(given) or source.tree
    before = [
        each
        for each in inside(scope, ast.Name)
        if each.id == given.id and isinstance(each.ctx, ast.Load) and each.lineno < given.lineno
    ]
    place = source.place_of(lazy)
    if not any(_uses_up(source, each) for each in before) or place is None:
        return None
    whole = isinstance(lazy, ast.GeneratorExp) and not place.written.startswith("(")
    return None if whole else LineEdit(place, place.with_text(f"list({place.written})"))


def _uses_up(source: Module, node: ast.Name) -> bool:
    above = source.parent[node]
    if isinstance(above, ast.Call):
        return node in above.args
    return isinstance(above, ast.For | ast.comprehension) and above.iter is node


def _registered(source: Module, given: ast.expr) -> LineEdit | None:
    """Of a model of this file the only list or dict of layers as a container that registers them."""
    calls = [each for each in inside(given, ast.Call) if last_name(each.func) == "parameters"]
    owner = calls[0].func.value if len(calls) == 1 and isinstance(calls[0].func, ast.Attribute) else None
    made = source.values(owner)
    name = last_name(made[0].func) if len(made) == 1 and isinstance(made[0], ast.Call) else ""
    cls = source.classes.get(name)
    if cls is None or not is_module_class(source, cls):
        return None
    found = [
        node for values in cls.attributes.values() for node in values if _holds_layers(source, cls, node)
    ]
    nodes = [(node, KINDS[type(node)]) for node in found if type(node) in KINDS]
    place = source.place_of(nodes[0][0]) if len(nodes) == 1 else None
    prefix = _prefix(source)
    if place is None or not prefix:
        return None
    empty = place.written in ("[]", "{}")
    inner = "" if empty else place.written
    return LineEdit(place, place.with_text(f"{prefix}.{nodes[0][1]}({inner})"))


def _prefix(source: Module) -> str:
    """How the file writes `torch.nn`."""
    for name, origin in source.imports.items():
        if origin == "torch.nn":
            return name
    return "torch.nn" if source.imports.get("torch") == "torch" else ""


def _holds_layers(source: Module, cls: Class, node: ast.expr) -> bool:
    """Whether it is a list or dict of modules, or an empty one that modules are put into."""
    if isinstance(node, ast.ListComp | ast.DictComp):
        return is_module(source, node.elt if isinstance(node, ast.ListComp) else node.value)
    parts = node.elts if isinstance(node, ast.List) else node.values if isinstance(node, ast.Dict) else []
    if isinstance(node, ast.Dict) and not all(isinstance(constant(key), str) for key in node.keys if key):
        return False
    if parts:
        return all(is_module(source, each) for each in parts)
    above = source.parent[node]
    target = above.targets[0] if isinstance(above, ast.Assign) else None
    if not isinstance(node, ast.List | ast.Dict) or target is None:
        return False
    name = ast.unparse(target)
    appended = [
        each.args[0]
        for each in inside(cls.node, ast.Call)
        if ast.unparse(each.func) == f"{name}.append" and each.args
    ]
    put = [
        each.value
        for each in inside(cls.node, ast.Assign)
        if isinstance(each.targets[0], ast.Subscript) and ast.unparse(each.targets[0].value) == name
    ]
    its = appended if isinstance(node, ast.List) else put
    return bool(its) and all(is_module(source, each) for each in its)
