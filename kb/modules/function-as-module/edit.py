"""Functions and classes where a container of modules takes objects."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.module import Module
from torchwhy.source.nodes import inside, last_name, parameters, words
from torchwhy.source.origins import origins

CONTAINERS = ("Sequential", "ModuleList", "ModuleDict", "add_module", "append", "extend")
# Functions whose module takes no arguments, and does the same.
MODULES = {
    "relu": "ReLU",
    "relu6": "ReLU6",
    "gelu": "GELU",
    "silu": "SiLU",
    "mish": "Mish",
    "elu": "ELU",
    "selu": "SELU",
    "celu": "CELU",
    "leaky_relu": "LeakyReLU",
    "tanh": "Tanh",
    "sigmoid": "Sigmoid",
    "logsigmoid": "LogSigmoid",
    "softplus": "Softplus",
    "softsign": "Softsign",
    "hardtanh": "Hardtanh",
    "hardswish": "Hardswish",
    "hardsigmoid": "Hardsigmoid",
    "tanhshrink": "Tanhshrink",
    "flatten": "Flatten",
    "dropout": "Dropout",
}
PLAIN = words("Identity PReLU RReLU GLU Softshrink Hardshrink Dropout1d Dropout2d Dropout3d AlphaDropout")
CLASSES = PLAIN.union(MODULES.values())


def as_modules(line: FailingLine, values: Values) -> LineEdit | None:
    """The module for each function, and an object for each class, that a container of the file is given."""
    source = line.file
    prefix = _prefix(source)
    if not prefix:
        return None
    parts = []
    for node in dict.fromkeys(_chosen(source)):
        written, called = ast.unparse(node), _as_object(source, node)
        parts += [(source.place_of(node), called.format(nn=prefix, it=written))] if called else []
    return alone(line.put_all(parts) if parts else None)


def _as_object(source: Module, node: ast.expr) -> str:
    """What stands for the node; "" where it is no function or class, or its arguments are not known."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return ""
    dotted = source.name(node)
    name = dotted.rpartition(".")[2]
    if dotted == f"torch.{name}" or dotted == f"torch.nn.functional.{name}":
        return "{nn}." + MODULES[name] + "()" if name in MODULES else ""
    if dotted == f"torch.nn.{name}":
        return "{it}()" if name in CLASSES else ""
    own = source.classes.get(dotted)
    begin = own.methods.get("__init__") if own is not None else None
    if own is None or not source.is_subclass(own, "torch.nn.Module"):
        return ""
    needs = len(parameters(begin)) - 1 - len(begin.args.defaults) if begin is not None else 0
    return "" if needs > 0 or (begin is not None and begin.args.kwonlyargs) else "{it}()"


def _given(source: Module) -> Iterator[ast.expr]:
    """What the containers of the file are given, and the lists that are spread into them."""
    for call in source.called_as(*CONTAINERS):
        yield from _of_list([*call.args, *(each.value for each in call.keywords)])
        for starred in inside(call, ast.Starred):
            for made in source.assigned(starred.value) if isinstance(starred.value, ast.Name) else ():
                yield from _of_list([made])
    spread = {last_name(each.value) for each in source.of(ast.Starred)}
    for added in source.of(ast.AugAssign):
        if last_name(added.target) in spread:
            yield from _of_list([added.value])


def _chosen(source: Module) -> Iterator[ast.expr]:
    """What the containers are given, of a choice from a dictionary (`ACTIVATIONS[name]`) all its values, where
    the file calls none of them.
    """
    called = {
        ast.unparse(each.func.value) for each in source.of(ast.Call) if isinstance(each.func, ast.Subscript)
    }
    for node in _given(source):
        if not isinstance(node, ast.Subscript) or ast.unparse(node.value) in called:
            yield node
        else:
            yield from origins(source, node)


def _of_list(nodes: list[ast.expr]) -> Iterator[ast.expr]:
    for node in nodes:
        if isinstance(node, ast.List | ast.Tuple):
            yield from _of_list(node.elts)
        elif isinstance(node, ast.Dict):
            yield from _of_list(node.values)
        elif isinstance(node, ast.Starred):
            yield from _of_list([node.value])
        else:
            yield node


def _prefix(source: Module) -> str:
    """What the file calls torch.nn."""
    found = [name for name, origin in source.imports.items() if origin == "torch.nn"]
    return found[0] if found else "torch.nn" if source.imports.get("torch") == "torch" else ""
