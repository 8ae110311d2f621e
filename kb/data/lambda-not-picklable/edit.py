"""A lambda, or a function within a function, at the top level of the file, where pickle finds it by its name."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.module import Module
from torchwhy.source.nodes import Function, constant, inside, last_name, own_nodes, parameters
from torchwhy.source.roles import loaded, stored

CALLED_HERE = ("sorted", "sort", "min", "max", "map", "filter", "apply", "reduce", "map_", "LambdaLR", "save")


def at_the_top(line: FailingLine, values: Values) -> LineEdit | None:
    source = line.file
    outer, _, name = values.get("name", "").rpartition(".<locals>.")
    outer = outer.rpartition(".")[2]
    if name and name != "<lambda>":
        return _function(line, source, outer, name)
    found = [each for each in source.of(ast.Lambda) if not _is_called_here(source, each)]
    if outer:
        found = [each for each in found if getattr(source.function(each), "name", "") == outer]
    if len(found) != 1:
        return None
    called = _called(source, found[0])
    return alone(line.put(found[0], called) if called else _with_name(line, source, found[0]))


def _is_called_here(source: Module, node: ast.Lambda) -> bool:
    calls = (each for each in source.above(node) if isinstance(each, ast.Call))
    return any(last_name(each.func) in CALLED_HERE for each in calls)


def _called(source: Module, node: ast.Lambda) -> str:
    """`f` of `lambda x: f(x)`."""
    body, names = node.body, [each.arg for each in node.args.args]
    if not isinstance(body, ast.Call) or body.keywords or node.args.defaults:
        return ""
    same = [ast.unparse(each) for each in body.args] == names
    return ast.unparse(body.func) if same and not _local(source, node, {*loaded(body.func)}) else ""


def _with_name(line: FailingLine, source: Module, node: ast.Lambda) -> LineEdit | None:
    """As a function, and the names of the function around, which it reads, given to it by `functools.partial`."""
    free = sorted(_local(source, node, loaded(node.body) - {each.arg for each in inside(node, ast.arg)}))
    top = [each for each in source.above(node) if isinstance(each, ast.stmt)][-1]
    around = source.function(node)
    once = all(
        [each.id for each in inside(around, ast.Name) if isinstance(each.ctx, ast.Store)].count(name) < 2
        for name in free
    )
    if "self" in free or not once or (free and (node.args.kwarg or node.args.vararg or node.args.defaults)):
        return None
    name, new = _name(source, node), ""
    given = [ast.unparse(node.args), *free]
    text = f"def {name}({', '.join(filter(None, given))}):\n    return {ast.unparse(node.body)}\n\n"
    new = f"functools.partial({name}, {', '.join(f'{each}={each}' for each in free)})" if free else name
    edit = line.put(node, new)
    if edit is None or edit.after is None:
        return None
    if free and source.imports.get("functools") != "functools":
        imports = [each for each in source.tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
        added = line.put_before(imports[0], "import functools") if imports else None
        edit = edit.with_more(added)
    if edit is not None and top.lineno == node.lineno:
        return edit._replace(after=f"{text}\n{edit.after}")
    return edit.with_more(line.put_before(top, text)) if edit is not None else None


def _name(source: Module, node: ast.Lambda) -> str:
    """After what the lambda is given to, where no name of the file is the same."""
    above = source.parent[node]
    hint = above.arg if isinstance(above, ast.keyword) else ""
    if isinstance(above, ast.Assign):
        hint = last_name(above.targets[0])
    if isinstance(above, ast.Dict):
        keys = [key for key, value in zip(above.keys, above.values, strict=True) if value is node]
        hint = str(constant(keys[0]))
    taken = {each.id for each in source.of(ast.Name)} | {*source.functions, *source.classes, *source.imports}
    hint = hint if hint and hint.isidentifier() else "applied"
    return hint if hint not in taken else f"{hint}_function"


def _local(source: Module, node: ast.AST, names: set[str]) -> set[str]:
    """Those of these names that a function around the node gives a value."""
    around = [each for each in source.above(node) if isinstance(each, Function)]
    bound = {name for each in around for name in (*parameters(each), *_bound(each))}
    return names & bound


def _bound(function: Function) -> set[str]:
    found = {name for each in function.body for name in stored(each)}
    return found | {each.name for each in own_nodes(function) if isinstance(each, Function | ast.ClassDef)}


def _function(line: FailingLine, source: Module, outer: str, name: str) -> LineEdit | None:
    """The only function or class of that name moved in front of the one that it stands in."""
    found = [
        each
        for each in source.of(ast.FunctionDef, ast.ClassDef)
        if each.name == name and getattr(source.function(each), "name", "") == outer
    ]
    if len(found) != 1 or name in {*source.imports}:
        return None
    own = {each.arg for each in inside(found[0], ast.arg)} | {
        n for each in found[0].body for n in stored(each)
    }
    free = _local(source, found[0], loaded(found[0]) - own - {name})
    top = [each for each in source.above(found[0]) if isinstance(each, ast.stmt)][-1]
    at_top = [each for each in source.tree.body if getattr(each, "name", "") == name]
    if free or at_top:
        return None
    return alone(line.moved([found[0]], before=top))
