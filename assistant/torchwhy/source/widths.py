"""The size of what a layer gives, as the program writes it: the argument that the next one's has to equal."""

from __future__ import annotations

import ast

from .kinds import makers
from .module import Module
from .nodes import argument, last_name, words
from .shapes import SAME, SAME_LAYERS

MAX_STEPS = 12
# The argument that settles how wide a layer's output is, by its place and name.
WIDTHS = {
    **dict.fromkeys(words("Linear LazyLinear Bilinear"), (1, "out_features")),
    **dict.fromkeys(words("Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d"), (1, "out_channels")),
    **dict.fromkeys(words("BatchNorm1d BatchNorm2d BatchNorm3d"), (0, "num_features")),
    "Embedding": (1, "embedding_dim"),
    "LayerNorm": (0, "normalized_shape"),
}
PASSED = SAME | {"relu_", "dropout2d", "max_pool2d", "max_pool1d", "avg_pool2d"}
PASSED_LAYERS = (SAME_LAYERS - set(WIDTHS)) | words(
    "ReLU6 Dropout2d MaxPool1d MaxPool2d AvgPool2d Mish CELU PReLU"
)


def width_before(source: Module, made: ast.Call, called: ast.Call | None) -> ast.expr | None:
    """The width of what a layer is given, as the argument of the layer before that settles it. `made`: the
    call that made the layer, `called`: where it runs, if it is no part of a Sequential.
    """
    above = source.parent[made]
    if isinstance(above, ast.Call) and last_name(above.func) == "Sequential" and made in above.args:
        return _last_width(source, above.args[: above.args.index(made)])
    before = _layer_before(source, called.args[0], MAX_STEPS) if called is not None and called.args else None
    if before is None:
        return None
    if last_name(before.func) == "Sequential":
        return _last_width(source, before.args) if _is_beside(source, before, made) else None
    return _width(before) if _is_beside(source, before, made) else None


def _is_beside(source: Module, one: ast.Call, other: ast.Call) -> bool:
    """Whether the names in both stand for the same: they are in one function."""
    return source.scope(one) is source.scope(other)


def _width(made: ast.Call) -> ast.expr | None:
    known = WIDTHS.get(last_name(made.func))
    return argument(made, known[0], known[1]) if known is not None else None


def _last_width(source: Module, layers: list[ast.expr]) -> ast.expr | None:
    for each in reversed(layers):
        if not isinstance(each, ast.Call) or not source.name(each.func).startswith("torch.nn."):
            return None
        if last_name(each.func) not in PASSED_LAYERS:
            return _width(each)
    return None


def _layer_before(source: Module, node: ast.expr, steps: int) -> ast.Call | None:
    """The call that made the layer whose output an expression is, the same in shape."""
    if steps <= 0:
        return None
    if isinstance(node, ast.Name):
        bound = source.bindings(node)
        value = bound[0].value if len(bound) == 1 and bound[0].part == "whole" else None
        return _layer_before(source, value, steps - 1) if value is not None else None
    if not isinstance(node, ast.Call):
        return None
    made = makers(source, node.func)
    if len(made) == 1 and made[0] is not node and source.name(made[0].func).startswith("torch.nn."):
        if last_name(made[0].func) not in PASSED_LAYERS:
            return made[0]
        return _layer_before(source, node.args[0], steps - 1) if node.args else None
    if last_name(node.func) not in PASSED or not isinstance(node.func, ast.Attribute | ast.Name):
        return None
    of_torch = source.name(node.func).startswith("torch.")
    inner = (node.args[0] if node.args else None) if of_torch else getattr(node.func, "value", None)
    return _layer_before(source, inner, steps - 1) if inner is not None else None
