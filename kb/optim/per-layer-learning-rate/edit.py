"""The groups of an optimizer, each a dict, none with a parameter of another one."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.nodes import constant, last_name, receiver


def without_the_others(line: FailingLine, values: Values) -> LineEdit | None:
    """Of the group that has a whole model, what the groups of its layers have not."""
    found = _groups(line)
    if found is None:
        return None
    made, groups = found
    owners = [(node, _owner(node)) for node in map(_params, groups) if node is not None]
    whole = [each for each in owners if each[1] and any(o.startswith(f"{each[1]}.") for _, o in owners)]
    if len(owners) != len(groups) or len(whole) != 1 or "" in {owner for _, owner in owners}:
        return None
    node, model = whole[0]
    layers = [owner.removeprefix(f"{model}.") for _, owner in owners if owner.startswith(f"{model}.")]
    if len(layers) != len(owners) - 1 or len({*layers}) != len(layers):
        return None
    prefixes = ", ".join(f'"{layer}."' for layer in layers)
    names = prefixes if len(layers) == 1 else f"({prefixes})"
    new = f"[p for name, p in {model}.named_parameters() if not name.startswith({names})]"
    return alone(made.put(node, new))


def each_a_dict(line: FailingLine, values: Values) -> LineEdit | None:
    found = _groups(line)
    if found is None or found[0].source is None:
        return None
    made, groups = found
    bare = [each for each in groups if isinstance(each, ast.Call | ast.List | ast.ListComp)]
    if any(isinstance(inner, ast.Dict) for each in bare for inner in ast.walk(each)):
        return None
    if not bare or not all(isinstance(each, ast.Dict) or each in bare for each in groups):
        return None
    source = found[0].source
    return alone(
        made.put_all([(source.place_of(each), f'{{"params": {ast.unparse(each)}}}') for each in bare])
    )


def _groups(line: FailingLine) -> tuple[FailingLine, list[ast.expr]] | None:
    """The list of groups that the failing optimizer is given, as it was written."""
    call = line.call
    made = line.made_by(given_at(call, "0|params")) if call is not None else None
    if made is None or not isinstance(made[1], ast.List) or len(made[1].elts) < 2:
        return None
    return made[0], made[1].elts


def _params(group: ast.expr) -> ast.expr | None:
    pairs = zip(group.keys, group.values, strict=True) if isinstance(group, ast.Dict) else ()
    return next((value for key, value in pairs if constant(key) == "params"), None)


def _owner(node: ast.expr) -> str:
    """`model.head` of `model.head.parameters()`; "" of anything else."""
    if not isinstance(node, ast.Call) or node.args or node.keywords or last_name(node.func) != "parameters":
        return ""
    owner = receiver(node)
    return ast.unparse(owner) if isinstance(owner, ast.Name | ast.Attribute) else ""
