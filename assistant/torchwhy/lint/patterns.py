"""What rules ask of code again and again. A rule imports from here alone: the questions that the other
modules of this package answer are handed on.
"""

# ruff: noqa: F401 (what is handed on)
from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from torchwhy.source.context import RANK, is_no_grad, rank_branch, without_gradients
from torchwhy.source.events import Event, around, events, training_loops
from torchwhy.source.flow import Operation, loss_calls, made_by
from torchwhy.source.graph_cuts import comes_from_model, cut_of
from torchwhy.source.kinds import (
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
)
from torchwhy.source.module import Binding, Class, Module
from torchwhy.source.nodes import (
    Function,
    argument,
    argument_of,
    constant,
    end,
    inside,
    is_open,
    is_self,
    last_name,
    position,
    returned,
)
from torchwhy.source.rewrite import Edit
from torchwhy.source.roles import block_of
from torchwhy.source.shapes import Shape, constant_of, shape, sizes

from .rule import Words, look, wrong

RECURRENT = ("torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN")
SAMPLERS = ("torch.utils.data.distributed.DistributedSampler", "torch.utils.data.DistributedSampler")
DETACHING = ("detach", "detach_", "data")
# of the classes of torch.nn those that hold something to train or to move, or may be given it
HOLDING = re.compile(
    r"Linear|Conv|Embedding|RNN|LSTM|GRU|Norm|PReLU|Attention|Transformer|Loss|Sequential|Module"
)
FROZEN = re.compile(r"requires_grad_\(False\)|requires_grad ?= ?False|no_grad\(|inference_mode\(")
# which arguments take the dimension of one away
DROPPING = {"squeeze": ([-1], [1]), "view": ([-1],), "reshape": ([-1],), "flatten": ([],)}
KEEPING_AXES = ("chunk", "split", "contiguous")
PASSING_LOOPS = ("enumerate", "tqdm")

# how code is written


def text(node: ast.AST | None, most: int | None = None) -> str:
    """The first line of a node's source, of which at most so many characters; "" for None."""
    return ast.unparse(node).split("\n")[0][:most] if node is not None else ""


def called(node: ast.AST | None) -> str:
    """The last name of what a call runs: append of `x.append(y)`, len of `len(x)`; "" for what is no call."""
    return last_name(node.func) if isinstance(node, ast.Call) else ""


def method(node: ast.AST | None) -> str:
    """The name of `x.NAME(...)`; "" for anything else."""
    return called(node) if isinstance(getattr(node, "func", None), ast.Attribute) else ""


def given(call: ast.Call) -> list[ast.expr]:
    """All that a call is given, by place or by keyword."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def parameters_of(node: ast.AST | None) -> ast.expr | None:
    """The model of `model.parameters()`; None for anything else."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "parameters":
        return node.func.value
    return None


# what stands in a piece of code


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
    return [
        each for each in module.of(ast.Attribute) if each.attr == name and isinstance(each.ctx, ast.Store)
    ]


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
    return [
        call
        for call in module.of(ast.Call)
        if (name := module.name(call.func)).startswith("torch.optim.") and ".lr_scheduler." not in name
    ]


def inputs_of(module: Module, *losses: str) -> Iterator[tuple[ast.Call, list[Operation]]]:
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
    for node in module.of(ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and module.name(target.value) == "os.environ":
            variable = constant(target.slice)
            if isinstance(variable, str) and variable in variables:
                yield node, variable, node.value


def imported_before(module: Module, node: ast.AST, *packages: str) -> str:
    """The first of these packages that is imported before a node, there or at the top; "" for none."""
    for each in (*module.of(ast.Import), *module.of(ast.ImportFrom)):
        near = module.scope(each) in (module.scope(node), module.tree) and position(each) < position(node)
        names = [alias.name for alias in each.names] if isinstance(each, ast.Import) else []
        names += [each.module or ""] if isinstance(each, ast.ImportFrom) else []
        first = next((root for name in names if (root := name.split(".")[0]) in packages), "")
        if near and first:
            return first
    return ""


def in_forward(module: Module, node: ast.AST, steps: int = 1) -> bool:
    """Whether the forward of a module runs it; with more steps also through a method that forward calls."""
    owner, function = module.class_of(node), module.function(node)
    if steps <= 0 or owner is None or function is None or not module.is_subclass(owner, *MODULE_BASES):
        return False
    callers = module.calls_of(function) if steps > 1 else []
    return function.name == "forward" or any(in_forward(module, each, steps - 1) for each in callers)


def uses_gpu(module: Module, call: ast.Call) -> bool:
    """Whether a call moves something to a GPU, or makes it there."""
    if method(call) == "cuda" and not call.args:
        return module.name(call.func) != "torch.cuda"
    device = argument(call, 0 if method(call) == "to" else -1, "device")
    return str(constant(device) or "").startswith("cuda")


def last_steps(module: Module) -> Iterator[tuple[ast.Subscript, ast.Call]]:
    """(`out[:, -1]`, the call) of what is the first result of a call: `out, _ = lstm(x)`, `lstm(x)[0]`."""
    for node in module.of(ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        if len(parts) < 2 or constant(parts[1]) != -1 or not isinstance(parts[0], ast.Slice):
            continue
        whole = node.value
        first = isinstance(whole, ast.Subscript) and constant(whole.slice) == 0
        if first and isinstance(whole, ast.Subscript) and isinstance(whole.value, ast.Call):
            yield node, whole.value
        for each in module.bindings(whole)[:1] if isinstance(whole, ast.Name) else ():
            if each.part == "item" and each.index == 0 and isinstance(each.value, ast.Call):
                yield node, each.value


def shown(shape_of: Sequence[object]) -> str:
    """A shape as torch writes it, `?` for a size that is not known, N for a slice (`i:i + 32`)."""
    inner = ", ".join("?" if size is None else "N" if ":" in str(size) else str(size) for size in shape_of)
    return f"({inner},)" if len(shape_of) == 1 else f"({inner})"


def made_in(module: Module, owner: Class, function: str, *names: str) -> Iterator[tuple[str, ast.Call]]:
    """(attribute, call) of what a method of a class sets to what a call of these dotted names gives."""
    for name, values in owner.attributes.items():
        for value in values:
            here = isinstance(value, ast.Call) and module.function(value) is owner.methods.get(function)
            if isinstance(value, ast.Call) and here and module.name(value.func) in names:
                yield name, value


# what stands behind a value


def is_column(module: Module, node: ast.expr | None, steps: int = 6) -> bool:
    """Whether a value is the output of a model that ends with a layer of one unit: (N, 1)."""
    if steps <= 0 or not surely(module, node):
        return False
    made = [makers(module, value.func) for value in values_by(module, node)]
    return all(each and all(ends_with_one(module, one, steps - 1) for one in each) for each in made)


def ends_with_one(module: Module, made: ast.Call, steps: int) -> bool:
    """Whether a layer, the last one of a Sequential, or what forward returns has one unit."""
    name = module.name(made.func)
    if steps <= 0 or any(isinstance(arg, ast.Starred) for arg in made.args):
        return False
    if name == "torch.nn.Linear":
        return constant_of(module, argument(made, 1, "out_features")) == 1
    if name == "torch.nn.Sequential":
        last = makers(module, made.args[-1]) if made.args else []
        return len(last) == 1 and ends_with_one(module, last[0], steps - 1)
    home, forward = forward_of(module, made) or (module, None)
    values = returned(forward) if forward else []
    return bool(values) and all(is_column(home, value, steps - 2) for value in values)


def is_row(module: Module, node: ast.expr | None, steps: int = 4) -> bool:
    """Whether a value is such an output without its dimension of one, or is computed from it: (N,)."""
    values = module.values(node)
    return steps > 0 and bool(values) and all(_drops(module, value, steps) for value in values)


def _drops(module: Module, value: ast.expr, steps: int) -> bool:
    if isinstance(value, ast.BinOp):
        return any(is_row(module, side, steps - 1) for side in (value.left, value.right))
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return False
    name, owner = value.func.attr, value.func.value
    if name in ("detach", "float", "clamp"):
        return is_row(module, owner, steps - 1)
    dims = [constant(arg) for arg in value.args]
    return dims in DROPPING.get(name, ()) and is_column(module, owner)


def crosses(column: Shape | None, row: Shape | None) -> bool:
    """(N, 1) and (N,), where N is one size and more than 1."""
    if column is None or row is None or len(column) != 2 or len(row) != 1:
        return False
    return column[1] == 1 and column[0] == row[0] and row[0] not in (1, None)


def behind_linear(module: Module, node: ast.expr, steps: int = 5) -> ast.expr | None:
    """The tensor x behind `linear(x)`, `linear(x).chunk(3, dim=-1)[0]`, `linear(x).split(...)`."""
    source: ast.expr | None = None
    if isinstance(node, ast.Name):
        found = module.bindings(node)
        source = found[0].value if len(found) == 1 else None
    elif isinstance(node, ast.Subscript):
        source = node.value
    elif (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in KEEPING_AXES
    ):
        source = node.func.value
    elif isinstance(node, ast.Call):
        layers = [module.name(layer.func) for layer in makers(module, node.func)]
        linear = bool(layers) and set(layers) == {"torch.nn.Linear"}
        return node.args[0] if linear and len(node.args) == 1 and isinstance(node.args[0], ast.Name) else None
    return behind_linear(module, source, steps - 1) if source is not None and steps > 1 else None


def dimension(module: Module, node: ast.expr, tensor: str, call: ast.Call | None) -> object:
    """Which size of the tensor an argument is: x.shape[2], x.size(2), or a name unpacked from x.shape."""
    if isinstance(node, ast.Subscript) and text(node.value) == f"{tensor}.shape":
        return constant(node.slice)
    if isinstance(node, ast.Call) and text(node.func) == f"{tensor}.size" and node.args:
        return constant(node.args[0])
    found = module.bindings(node) if isinstance(node, ast.Name) else []
    found = [each for each in found if each.part == "item" and each.value is not None]
    if len(found) != 1 or text(found[0].value) not in (f"{tensor}.shape", f"{tensor}.size()"):
        return None
    same = call is None or _same_tensor(module, found[0].value, call.func)
    return found[0].index if same else None


def _same_tensor(module: Module, measured: ast.expr | None, used: ast.expr) -> bool:
    """Whether the name whose `.shape` or `.size` was unpacked still stands for that of another attribute."""
    owners = []
    for each in (measured.func if isinstance(measured, ast.Call) else measured, used):
        if not isinstance(each, ast.Attribute) or not isinstance(each.value, ast.Name):
            return False
        owners.append([bound.node for bound in module.bindings(each.value)])
    return owners[0] == owners[1]


def model_calls(module: Module, name: ast.Name, function: Function | None, depth: int = 8) -> list[ast.Call]:
    """The calls of models that a name's value came from with their graph, each of its names bound once."""
    bindings = module.bindings(name) if depth else []
    if len(bindings) != 1 or bindings[0].value is None or module.function(bindings[0].node) is not function:
        return []
    if without_gradients(module, bindings[0].value):
        return []
    found = []
    for value in [bindings[0].value, *_filled_with(module, name.id, function)]:
        for node in uncut(value).values():
            if node.id != name.id:
                found += model_calls(module, node, function, depth - 1)
        found += [
            call
            for call in inside(value, ast.Call)
            if calls_model(module, call) and not _is_criterion(module, call)
        ]
    return found


def _is_criterion(module: Module, call: ast.Call) -> bool:
    """Whether what is called is a criterion, which two losses may share."""
    return any(text(made.func).endswith("Loss") for made in values_by(module, call.func))


def _filled_with(module: Module, name: str, function: Function | None) -> list[ast.expr]:
    """What is appended to a list of that name."""
    return [
        call.args[0]
        for call in module.methods("append")
        if text(call.func) == f"{name}.append" and module.function(call) is function and call.args
    ]


def uncut(value: ast.AST) -> dict[str, ast.Name]:
    """The names in an expression that no detach() or item() cuts."""
    found, todo = dict[str, ast.Name](), [value]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Attribute) and node.attr in (*DETACHING, "item", "tolist", "numpy"):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found[node.id] = node
        called = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        todo += [each for each in ast.iter_child_nodes(node) if each is not called]
    return found


def only_binding(module: Module, name: ast.Name) -> Binding | None:
    """The only place where a name gets its value, whole."""
    return next(iter(bound(module, name)), None) if len(module.bindings(name)) == 1 else None


def bound(module: Module, name: ast.AST) -> list[Binding]:
    """The nearest place where a name gets its value whole."""
    found = module.bindings(name)[:1] if isinstance(name, ast.Name) else []
    return [each for each in found if each.part == "whole" and each.value is not None]


def scores(module: Module, loss: ast.expr) -> Iterator[ast.Call]:
    """The calls of models in what a loss was made of, one name deep."""
    for binding in bound(module, loss):
        written = list(ast.walk(binding.value)) if binding.value is not None else []
        values = [each.value for part in written for each in bound(module, part)]
        for part in (*written, *values):
            if isinstance(part, ast.Call) and calls_model(module, part):
                yield part


def option_names(module: Module, made: ast.Call) -> set[str] | None:
    """The names of what the loader is given, those in a literal `**common` too; None where one is unseen."""
    if any(isinstance(arg, ast.Starred) for arg in made.args):
        return None
    names = {keyword.arg for keyword in made.keywords if keyword.arg is not None}
    for keyword in made.keywords:
        for value in module.values(keyword.value) if keyword.arg is None else ():
            inner: list[object] = [None]
            if isinstance(value, ast.Call) and is_call(module, value, "builtins.dict") and not value.args:
                inner = [each.arg for each in value.keywords]
            elif isinstance(value, ast.Dict):
                inner = [constant(each) for each in value.keys]
            known = {each for each in inner if isinstance(each, str)}
            if len(known) < len(inner) or _changed(module, keyword.value):
                return None
            names |= known
    return names


def _changed(module: Module, options: ast.expr) -> bool:
    """Whether the dict gets more keys later: `common["shuffle"] = True`, `common.update(...)`."""
    uses = (*module.by_type[ast.Subscript], *module.by_type[ast.Attribute])
    return any(
        isinstance(each, ast.Subscript | ast.Attribute) and text(each.value) == text(options) for each in uses
    )


def keeps_nothing(module: Module, node: ast.AST) -> bool:
    """Whether a call makes a module with nothing to train or move: pooling, a class of only such layers."""
    if not isinstance(node, ast.Call):
        return False
    name, found = module.name(node.func), class_made(module, node)
    if found is None:
        last = name.rsplit(".", 1)[-1]
        return name == f"torch.nn.{last}" and last[:1].isupper() and not HOLDING.search(last)
    init = found[1].methods.get("__init__")
    return init is not None and all(_is_empty(found[0], each) for each in inside(init, ast.Call))


def gives_no_graph(module: Module, call: ast.expr) -> bool:
    """Whether what a model gives has no graph: it has nothing to train, or turns gradients off itself."""
    made = makers(module, call.func) if isinstance(call, ast.Call) else []
    return bool(made) and all(keeps_nothing(module, each) or _is_frozen(module, each) for each in made)


def _is_frozen(module: Module, made: ast.Call) -> bool:
    found = class_made(module, made)
    if found is None:
        return False
    its = (found[1].methods.get(name) for name in ("__init__", "forward"))
    return not found[1].attributes or any(each and FROZEN.search(ast.unparse(each)) for each in its)


def _is_empty(module: Module, call: ast.Call) -> bool:
    """Whether a call in __init__ makes nothing to train or move."""
    name = module.name(call.func)
    if class_made(module, call) is not None or name.startswith("torch."):
        return keeps_nothing(module, call)
    of_super = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call)
    return name.startswith("builtins.") or of_super


def epochs_around(module: Module, loop: ast.AST) -> list[ast.For]:
    """The loops over epochs around a loop, or around the calls of its function."""
    function = module.function(loop)
    places = [loop, *(module.calls_of(function) if function else ())]
    loops = [each for place in places for each in module.loops(place)]
    return [each for each in loops if isinstance(each, ast.For) and counts_epochs(each)]


def counts_epochs(loop: ast.For) -> bool:
    return "epoch" in (text(loop.target) + text(loop.iter)).lower()


def number_of_epochs(module: Module, loop: ast.For) -> int | None:
    """How often a loop over `range(n)` runs, where that is a literal or a name for one."""
    values = values_by(module, loop.iter, "builtins.range", "tqdm.trange")
    count = constant_of(module, values[0].args[-1]) if len(values) == 1 and values[0].args else None
    return count if isinstance(count, int) else None
