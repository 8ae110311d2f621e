"""What the record of a crash says of the failing line's expressions: the shapes of tensors, and numbers.

A name that the record knows is followed through the methods that only turn or index; what else is called may
give anything.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from torchwhy.text.lazy_re import lazy_compile

from .nodes import argument, constant, number_of, words
from .shapes import SAME, SAME_LAYERS

Sizes = tuple[int, ...]
# Of what a layer gives, in what it prints of itself.
WIDTHS = {"Linear": lazy_compile(r"out_features=(\d+)"), "Embedding": lazy_compile(r"^\d+, (\d+)")}


class CrashRecord(NamedTuple):
    """`operands`: the names of the line, then those of torch's own code that failed, as docs/json.md says."""

    operands: Sequence[Mapping[str, Any]] = ()

    def shape(self, node: ast.expr | None) -> Sizes | None:
        """The sizes of the tensor that an expression of the line gives; None where that is not known."""
        if node is None:
            return None
        operand = self._of_line(ast.unparse(node))
        if operand is not None:
            return _sizes(operand)
        if isinstance(node, ast.UnaryOp):
            return self.shape(node.operand)
        if isinstance(node, ast.Compare) and all(isinstance(each, ast.Constant) for each in node.comparators):
            return self.shape(node.left)
        if isinstance(node, ast.Subscript):
            above = self.shape(node.value)
            return self._indexed(above, node.slice) if above is not None else None
        if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
            above = self.shape(node.value)
            return (*above[:-2], *above[:-3:-1]) if above and (node.attr == "mT" or len(above) == 2) else None
        if isinstance(node, ast.Call) and self.layer(node.func):
            return self._after_layer(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            above = self.shape(node.func.value)
            return self._after(above, node.func.attr, node) if above is not None else None
        return None

    def in_graph(self, node: ast.expr) -> str:
        """What a name of the line stands for, if it wants gradients: "tensor" or "list"; else ""."""
        operand = self._of_line(ast.unparse(node)) or {}
        whole = operand.get("requires_grad") is True
        each = [part.get("requires_grad") is True for part in operand.get("elements") or ()]
        return "tensor" if whole else "list" if each and all(each) else ""

    def number(self, node: ast.expr | None) -> int | None:
        """The whole number that an expression of the line gives."""
        return number_of(node, self._named) if node is not None else None

    def layer(self, node: ast.expr) -> str:
        """The class of the module that a name of the line stands for; "" where it is none."""
        operand = self._of_line(ast.unparse(node)) or {}
        return str(operand.get("class", "")) if operand.get("kind") == "module" else ""

    def inner(self, name: str) -> Sizes | None:
        """The shape of what torch's own code calls so where it failed: `input`, for what has no name in the
        line.
        """
        found = [each for each in self.operands if each["name"] == name and each.get("within")]
        return _sizes(found[0]) if len(found) == 1 else None

    def _of_line(self, name: str) -> Mapping[str, Any] | None:
        """The operand of that name in the user's line."""
        own = (each for each in self.operands if each.get("into") or not each.get("within"))
        return next((each for each in own if each["name"] == name), None)

    def _named(self, node: ast.expr) -> int | None:
        """`n`, `x.size(0)`, `x.shape[0]`, `len(x)`."""
        operand = self._of_line(ast.unparse(node))
        if operand is not None:
            value = operand.get("value")
            return value if type(value) is int else None
        owner: ast.expr | None = None
        at: ast.expr | None = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "size":
            owner, at = node.func.value, argument(node, 0, "dim")
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            owner, at = node.value.value if node.value.attr == "shape" else None, node.slice
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "len" and len(node.args) == 1:
            owner, at = node.args[0], ast.Constant(0)
        shape, place = self.shape(owner), constant(at)
        if shape is None or not isinstance(place, int) or not -len(shape) <= place < len(shape):
            return None
        return shape[place]

    def _after_layer(self, call: ast.Call) -> Sizes | None:
        """The sizes after a Linear, an Embedding, or a layer that keeps them."""
        above, name = self.shape(call.args[0]) if call.args else None, self.layer(call.func)
        settings = str((self._of_line(ast.unparse(call.func)) or {}).get("settings", ""))
        if above is None or name in SAME_LAYERS:
            return above
        width = WIDTHS[name].search(settings) if name in WIDTHS else None
        if width is None:
            return None
        return (*(above[:-1] if name == "Linear" else above), int(width[1]))

    def _after(self, above: Sizes, name: str, call: ast.Call) -> Sizes | None:
        """The sizes after a method."""
        if name in SAME:
            return above
        given = [self.number(each) for each in call.args]
        if name in ("view", "reshape") and given == [-1]:
            return (math.prod(above),)
        at = [each % len(above) for each in given if each is not None and above]
        if call.keywords or len(at) != len(given):
            return None
        if name in TURNED and len(at) == 2:
            order = [*range(len(above))]
            order[at[0]], order[at[1]] = order[at[1]], order[at[0]]
            return tuple(above[each] for each in order)
        if name == "permute" and sorted(at) == [*range(len(above))]:
            return tuple(above[each] for each in at)
        if name == "unsqueeze" and len(given) == 1 and given[0] is not None:
            new = given[0] % (len(above) + 1)
            return (*above[:new], 1, *above[new:])
        if name == "squeeze" and len(at) == 1:
            return (*above[: at[0]], *above[at[0] + (above[at[0]] == 1) :])
        if name == "expand" and len(given) == len(above):
            sizes = [own if new == -1 else new for new, own in zip(given, above, strict=True)]
            return tuple(size for size in sizes if size is not None) if None not in sizes else None
        if name == "flatten" and len(at) <= 1:
            start = at[0] if at else 0
            return (*above[:start], math.prod(above[start:]))
        return above[::-1] if name == "t" and len(above) == 2 else None

    def _indexed(self, above: Sizes, index: ast.expr) -> Sizes | None:
        """The sizes after an index of numbers, slices between numbers and None."""
        left, rest = [], list(above)
        for part in index.elts if isinstance(index, ast.Tuple) else [index]:
            if isinstance(part, ast.Constant) and part.value is None:
                left.append(1)
            elif not rest:
                return None
            elif isinstance(part, ast.Slice):
                ends = [self.number(each) for each in (part.lower, part.upper)]
                if part.step or any(
                    given and end is None for given, end in zip((part.lower, part.upper), ends, strict=True)
                ):
                    return None
                left.append(len(range(rest.pop(0))[slice(*ends)]))
            elif self.number(part) is not None:
                rest.pop(0)
            else:
                return None
        return (*left, *rest)


TURNED = words("transpose swapaxes swapdims")


def count(sizes: Iterable[int]) -> int:
    """How many numbers a tensor of these sizes has."""
    return math.prod(sizes)


def _sizes(operand: Mapping[str, Any]) -> Sizes | None:
    shape = operand.get("shape")
    if not isinstance(shape, list) or not all(type(size) is int for size in shape):
        return None
    return tuple(shape)
