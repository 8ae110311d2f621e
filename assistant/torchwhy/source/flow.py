"""Which operation made a value: through names, reshapings, models and their forward."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .kinds import class_made, forward_of, makers
from .module import Module
from .nodes import argument, is_self, returned, words

MAX_STEPS = 12
PASSING = words(
    "view reshape squeeze unsqueeze float flatten contiguous to cuda cpu permute transpose double half "
    "clone view_as reshape_as type expand bfloat16 t requires_grad_ type_as"
)
PASSING_FUNCTIONS = words(
    "torch.squeeze torch.unsqueeze torch.flatten torch.reshape torch.transpose torch.permute torch.clone"
)
ACTIVATIONS = words(
    "softmax log_softmax sigmoid logsigmoid exp relu tanh leaky_relu gelu elu softplus softmin hardsigmoid"
)
# the operation of a layer; "" of one that only passes on
LAYERS = {
    **{name: name.lower() for name in ("Softmax", "Sigmoid", "LogSigmoid", "ReLU", "Tanh", "GELU", "ELU")},
    "Softplus": "softplus",
    "LeakyReLU": "leaky_relu",
    "LogSoftmax": "log_softmax",
    "Softmax2d": "softmax",
    "ReLU6": "relu",
    "Linear": "linear",
    "LazyLinear": "linear",
    "Conv1d": "conv",
    "Conv2d": "conv",
    "Flatten": "",
    "Dropout": "",
    "Identity": "",
}


@dataclass(frozen=True, slots=True)
class Operation:
    """The operation (softmax, linear, ...) behind a value, where it is written, and in which file."""

    op: str
    node: ast.AST
    module: Module

    def within(self, module: Module, otherwise: ast.AST) -> ast.AST:
        """Where to report it in this file: the operation, or another place where it is of another file."""
        return self.node if self.module is module else otherwise


def made_by(module: Module, node: ast.expr | None, steps: int = MAX_STEPS) -> list[Operation]:
    """The last operations behind a value, reshapings left out; [] where the text does not say."""
    if node is None or steps <= 0:
        return []
    return module.once(
        "made",
        node,
        [],
        lambda: [each for value in module.values(node) for each in _of(module, value, steps)],
    )


def _of(module: Module, node: ast.expr, steps: int) -> Iterator[Operation]:
    if isinstance(node, ast.Subscript):
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            yield from _of_key(module, node, steps)
        else:
            yield from made_by(module, node.value, steps - 1)
    if isinstance(node, ast.Name):
        yield from _of_item(module, node, steps)
    if not isinstance(node, ast.Call):
        return
    dotted = module.name(node.func)
    last = dotted.rsplit(".", 1)[-1] if dotted else ""
    if dotted.startswith(("torch.", "torch.nn.functional.")) and last in ACTIVATIONS:
        yield Operation(last, node, module)
    elif dotted.startswith("torch.nn.functional.") and last == "linear":
        yield Operation("linear", node, module)
    elif (dotted.startswith("torch.nn.functional.") and last == "dropout") or dotted in PASSING_FUNCTIONS:
        yield from made_by(module, argument(node, 0, "input"), steps - 1)
    elif isinstance(node.func, ast.Attribute) and not dotted.startswith("torch.") and not is_self(node.func):
        # a method's call, not that of a layer kept in an attribute of this name
        if node.func.attr in ACTIVATIONS:
            yield Operation(node.func.attr, node, module)
        elif node.func.attr in PASSING:
            yield from made_by(module, node.func.value, steps - 1)
        else:
            yield from _of_call(module, node, steps)
    else:
        yield from _of_call(module, node, steps)


def _of_item(module: Module, name: ast.Name, steps: int) -> Iterator[Operation]:
    """Of `output, state = model(x)`, where forward returns a tuple."""
    bound = module.bindings(name)
    if len(bound) != 1 or bound[0].part != "item" or not isinstance(bound[0].value, ast.Call):
        return
    for made in makers(module, bound[0].value.func):
        found = forward_of(module, made)
        values = returned(found[1]) if found else []
        if found is None or not all(isinstance(value, ast.Tuple) for value in values):
            return
        for value in values:
            assert isinstance(value, ast.Tuple)
            if len(value.elts) <= bound[0].index or any(isinstance(each, ast.Starred) for each in value.elts):
                return
            yield from made_by(found[0], value.elts[bound[0].index], steps - 2)


def _of_key(module: Module, node: ast.Subscript, steps: int) -> Iterator[Operation]:
    """Of `output["logits"]`, where forward returns a dict with this key."""
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    for call in module.values(node.value):
        for made in makers(module, call.func) if isinstance(call, ast.Call) else ():
            found = forward_of(module, made)
            for value in returned(found[1]) if found else ():
                if not isinstance(value, ast.Dict) or found is None:
                    continue
                for name, each in zip(value.keys, value.values, strict=True):
                    if isinstance(name, ast.Constant) and name.value == key:
                        yield from made_by(found[0], each, steps - 2)


def _of_call(module: Module, call: ast.Call, steps: int) -> Iterator[Operation]:
    """Of what a layer, a model or a function of the project gives when it is called."""
    for made in makers(module, call.func):
        yield from _of_layer(module, made, steps - 1, call)
    called = module.called(call)
    if called is not None:
        for value in returned(called[1]):
            yield from made_by(called[0], value, steps - 2)


def _of_layer(module: Module, made: ast.Call, steps: int, call: ast.Call) -> Iterator[Operation]:
    if steps <= 0:
        return
    dotted = module.name(made.func)
    last = dotted.rsplit(".", 1)[-1]
    if dotted == "torch.nn.Sequential":
        yield from _of_sequence(module, made, steps, call)
    elif dotted.startswith("torch.nn.functional.") and last in ACTIVATIONS:
        yield Operation(last, made, module)  # called without its input, as if it were the layer
    elif dotted.startswith("torch.nn.") and last in LAYERS:
        if LAYERS[last]:
            yield Operation(LAYERS[last], made, module)
        elif call.args:
            yield from made_by(module, call.args[0], steps - 1)
    else:
        found = class_made(module, made)
        if found is not None and "forward" in found[1].methods:
            for value in returned(found[1].methods["forward"]):
                yield from made_by(found[0], value, steps - 2)


def _of_sequence(module: Module, made: ast.Call, steps: int, call: ast.Call) -> Iterator[Operation]:
    for last in reversed(made.args):
        if isinstance(last, ast.Starred):
            return
        layers = makers(module, last)
        ops = [each for layer in layers for each in _of_layer(module, layer, steps - 1, call)]
        names = {module.name(layer.func).rsplit(".", 1)[-1] for layer in layers}
        if ops or not names <= {"Flatten", "Dropout", "Identity", "Unflatten", "Squeeze"} or not names:
            yield from ops
            return


LOSS_FORMS = {  # the function of a loss, and its class
    "cross_entropy": ("cross_entropy", "CrossEntropyLoss"),
    "nll_loss": ("nll_loss", "NLLLoss"),
    "bce": ("binary_cross_entropy", "BCELoss"),
    "bce_with_logits": ("binary_cross_entropy_with_logits", "BCEWithLogitsLoss"),
    "mse_loss": ("mse_loss", "MSELoss"),
    "l1_loss": ("l1_loss", "L1Loss"),
    "smooth_l1_loss": ("smooth_l1_loss", "SmoothL1Loss"),
    "huber_loss": (None, "HuberLoss"),
    "kl_div": ("kl_div", "KLDivLoss"),
}
LOSSES = {f"torch.nn.functional.{function}": loss for loss, (function, _) in LOSS_FORMS.items() if function}
LOSSES |= {f"torch.nn.{name}": loss for loss, (_, name) in LOSS_FORMS.items()}


def loss_calls(module: Module) -> Iterator[tuple[str, ast.Call, ast.Call]]:
    """(loss, its call, the call with its options) of every loss of torch that is computed in the file."""
    none: list[tuple[str, ast.Call, ast.Call]] = []
    yield from module.once("loss calls", module.tree, none, lambda: list(_loss_calls(module)))


def _loss_calls(module: Module) -> Iterator[tuple[str, ast.Call, ast.Call]]:
    for node in module.of(ast.Call):
        dotted = module.name(node.func)
        if dotted in LOSSES and dotted.startswith("torch.nn.functional."):
            yield LOSSES[dotted], node, node
        elif len(node.args) >= 2 or {keyword.arg for keyword in node.keywords} >= {"input", "target"}:
            owner = None if dotted.startswith("torch.") else node.func
            for made in makers(module, owner)[:1]:
                name = module.name(made.func)
                if name in LOSSES and not name.startswith("torch.nn.functional."):
                    yield LOSSES[name], node, made
