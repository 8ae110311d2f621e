"""What rules ask of code again and again. A rule imports from here alone: the questions that the other
modules of this package answer are handed on.
"""

# ruff: noqa: F401 (what is handed on)
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeVar

from .context import RANK, is_no_grad, rank_branch, without_gradients
from .events import Event, around, events, training_loops
from .flow import Made, loss_calls, made_by
from .kinds import (
    DATASETS,
    LOADER,
    MODULE_BASES,
    TRAINS,
    class_made,
    forward_of,
    is_module,
    kind,
    layers_within,
    makers,
    returned,
)
from .module import Class, Function, Module, argument, argument_of, constant, end, is_open, position
from .rule import Edit, Words, look, wrong
from .shapes import constant_of, shape, sizes

N = TypeVar("N", bound=ast.AST)
RECURRENT = ("torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN")
SAMPLERS = ("torch.utils.data.distributed.DistributedSampler", "torch.utils.data.DistributedSampler")
PASSING_LOOPS = ("enumerate", "tqdm")

# how code is written


def text(node: ast.AST | None, most: int | None = None) -> str:
    """The first line of a node's source, of which at most so many characters; "" for None."""
    return ast.unparse(node).split("\n")[0][:most] if node is not None else ""


def called(node: ast.AST | None) -> str:
    """The last name of what a call runs: append of `x.append(y)`, len of `len(x)`; "" for what is no call."""
    func = node.func if isinstance(node, ast.Call) else None
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def method(node: ast.AST | None) -> str:
    """The name of `x.NAME(...)`; "" for anything else."""
    return called(node) if isinstance(getattr(node, "func", None), ast.Attribute) else ""


def given(call: ast.Call) -> list[ast.expr]:
    """All that a call is given, by place or by keyword."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def is_self(node: ast.AST | None) -> bool:
    """Whether it is `self.x`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def parameters_of(node: ast.AST | None) -> ast.expr | None:
    """The model of `model.parameters()`; None for anything else."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "parameters":
        return node.func.value
    return None


# what stands in a piece of code


def inside(node: ast.AST, *kinds: type[N]) -> Iterator[N]:
    """The nodes of these types in a node, itself included."""
    return (each for each in ast.walk(node) if isinstance(each, kinds))


def methods_in(node: ast.AST, *names: str) -> list[ast.Call]:
    """Every call `x.NAME(...)` in a node."""
    return [each for each in inside(node, ast.Call) if method(each) in names]


def attributes_in(node: ast.AST, *names: str) -> list[ast.Attribute]:
    """Every `x.NAME` in a node, called or not."""
    return [each for each in inside(node, ast.Attribute) if each.attr in names]


def names_in(*nodes: ast.AST) -> set[str]:
    """The names that these nodes write."""
    return {each.id for node in nodes for each in inside(node, ast.Name)}


def read_from(function: Function, context: type[ast.expr_context] = ast.Load) -> set[str]:
    """The attributes that a function reads, or sets (`ast.Store`)."""
    return {each.attr for each in inside(function, ast.Attribute) if isinstance(each.ctx, context)}


# what a module says of a node


def is_call(module: Module, node: ast.AST | None, *names: str) -> bool:
    """Whether it is a call of one of these dotted names."""
    return isinstance(node, ast.Call) and module.name(node.func) in names


def calls_model(module: Module, node: ast.AST | None) -> bool:
    """Whether it is a call of a model or of a layer."""
    return isinstance(node, ast.Call) and kind(module, node.func) == "module"


def values_by(module: Module, node: ast.expr | None, *names: str) -> list[ast.Call]:
    """Of what an expression may stand for the calls of these dotted names; of any where none is named."""
    found = (value for value in module.values(node) if isinstance(value, ast.Call))
    return [value for value in found if not names or module.name(value.func) in names]


def surely(module: Module, node: ast.expr | None, *names: str) -> bool:
    """Whether all that an expression may stand for are calls, of these dotted names where some are given."""
    values = module.values(node)
    return bool(values) and len(values_by(module, node, *names)) == len(values)


def constants(module: Module, node: ast.expr | None) -> set[object]:
    """The literals that an expression may stand for; None among them for what is none."""
    return {constant(value) for value in module.values(node)}


def assigned(module: Module, value: ast.AST) -> str:
    """What a value is assigned to, as it is written; "" for one that is used in another way."""
    above = module.parent.get(value)
    return text(above.targets[0]) if isinstance(above, ast.Assign) else ""


def stored(module: Module, name: str) -> list[ast.Attribute]:
    """Every `x.NAME` that the file sets."""
    found = (each for each in module.by_type[ast.Attribute] if isinstance(each, ast.Attribute))
    return [each for each in found if each.attr == name and isinstance(each.ctx, ast.Store)]


def classes(module: Module, bases: Sequence[str], *methods: str) -> list[Class]:
    """The file's classes that descend from one of these bases and define all of these methods."""
    found = (each for each in module.classes.values() if each.methods.keys() >= set(methods))
    return [each for each in found if module.is_subclass(each, *bases)]


def same_pass(module: Module, one: ast.AST, other: ast.AST) -> bool:
    """Whether two nodes stand in one function and in the same innermost loop, or both in none."""
    return module.loops(one)[:1] == module.loops(other)[:1] and module.function(one) is module.function(other)


def conditions(module: Module, node: ast.AST, loop: ast.AST | None) -> list[ast.If]:
    """The `if`s around a node within a loop, the innermost first; [] where the loop is not around it."""
    found: list[ast.If] = []
    for above in module.above(node):
        if above is loop:
            return found
        if isinstance(above, ast.If):
            found.append(above)
    return found if loop is None else []


def walked(module: Module, loop: ast.AST) -> ast.expr | None:
    """What a loop goes through, enumerate and tqdm taken off; None of `while`."""
    found: ast.expr | None = getattr(loop, "iter", None)
    while isinstance(found, ast.Call) and found.args:
        if module.name(found.func).rsplit(".", 1)[-1] not in PASSING_LOOPS:
            break
        found = found.args[0]
    return found


def edit(module: Module, start: tuple[int, int], stop: tuple[int, int], new: str) -> Edit | None:
    """`new` in the place of what stands between two positions of one line; None over several lines, and where
    the line is not ASCII, whose columns `ast` counts in bytes.
    """
    (line, first), (last_line, last) = start, stop
    return Edit(line, first, last, new) if line == last_line and module.lines[line - 1].isascii() else None


# what programs do


def optimizers(module: Module) -> list[ast.Call]:
    """Every call that makes an optimizer of torch."""
    calls = (each for each in module.by_type[ast.Call] if isinstance(each, ast.Call))
    return [
        call
        for call in calls
        if (name := module.name(call.func)).startswith("torch.optim.") and ".lr_scheduler." not in name
    ]


def inputs_of(module: Module, *losses: str) -> Iterator[tuple[ast.Call, list[Made]]]:
    """(call, what made its input) of these losses, where the text says what made it."""
    for loss, call, _ in loss_calls(module):
        made = made_by(module, argument(call, 0, "input")) if loss in losses else []
        if made:
            yield call, made


def has_workers(loader: ast.Call) -> bool:
    """Whether a loader surely has worker processes."""
    return constant(argument(loader, -1, "num_workers")) not in (0, None)


def may_have_workers(loader: ast.Call) -> bool:
    """Whether a loader is told a number of workers that is not written as 0."""
    workers = argument(loader, -1, "num_workers")
    return workers is not None and constant(workers) != 0


def environment(module: Module, *variables: str) -> Iterator[tuple[ast.Assign, str, ast.expr]]:
    """(statement, variable, value) of every `os.environ["VARIABLE"] = value`."""
    for node in module.by_type[ast.Assign]:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(target, ast.Subscript) and module.name(target.value) == "os.environ":
            variable = constant(target.slice)
            if isinstance(variable, str) and variable in variables and isinstance(node, ast.Assign):
                yield node, variable, node.value


def uses_gpu(module: Module, call: ast.Call) -> bool:
    """Whether a call moves something to a GPU, or makes it there."""
    if method(call) == "cuda" and not call.args:
        return module.name(call.func) != "torch.cuda"
    device = argument(call, 0 if method(call) == "to" else -1, "device")
    return str(constant(device) or "").startswith("cuda")


def last_steps(module: Module) -> Iterator[tuple[ast.Subscript, ast.Call]]:
    """(`out[:, -1]`, the call) of what is the first result of a call: `out, _ = lstm(x)`, `lstm(x)[0]`."""
    for node in module.by_type[ast.Subscript]:
        parts = (
            node.slice.elts if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) else []
        )
        if not isinstance(node, ast.Subscript) or len(parts) < 2:
            continue
        if constant(parts[1]) != -1 or not isinstance(parts[0], ast.Slice):
            continue
        whole = node.value
        if (
            isinstance(whole, ast.Subscript)
            and constant(whole.slice) == 0
            and isinstance(whole.value, ast.Call)
        ):
            yield node, whole.value
        for each in module.bindings(whole)[:1] if isinstance(whole, ast.Name) else ():
            if each.part == "item" and each.index == 0 and isinstance(each.value, ast.Call):
                yield node, each.value


def shown(shape_of: Sequence[object]) -> str:
    """A shape as torch writes it, `?` for a size that is not known."""
    inner = ", ".join("?" if size is None else str(size) for size in shape_of)
    return f"({inner},)" if len(shape_of) == 1 else f"({inner})"


def made_in(module: Module, owner: Class, function: str, *names: str) -> Iterator[tuple[str, ast.Call]]:
    """(attribute, call) of what a method of a class sets to what a call of these dotted names gives."""
    for name, values in owner.attributes.items():
        for value in values:
            here = isinstance(value, ast.Call) and module.function(value) is owner.methods.get(function)
            if isinstance(value, ast.Call) and here and module.name(value.func) in names:
                yield name, value
