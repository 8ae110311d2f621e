"""How a line of the user's is edited: the words of an entry's `edits`, and of the functions in its `edit.py`.

    def wider(line, values):
        return line.where_made("Linear", "0|in_features", values["got"], was=values["want"])

A function gets the failing line and the values of the message, and gives the edit, or None where none follows
from what is known. An argument is named by its place (-1: the last), its keyword, or both: `0|in_features`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence

from .edit import IN_BRACKETS, IT, NAMED, OPERANDS, LineEdit, Values, alone, rewritten, with_own_parts
from .edited_lines import EditedLines, own_lines
from .known_line import given_at
from .line import failing_call, only_call, parsed_line
from .module import Module
from .nodes import LinePart, argument, constant, inside, last_name, number_of, receiver, words
from .own_file import handed_on, makers, methods_of, read_source, value_of, without_gradients
from .widths import width_before

__all__ = [
    "AN_INDEX",
    "IN_BRACKETS",
    "NAMED",
    "OPERANDS",
    "TURNS",
    "FailingLine",
    "LineEdit",
    "Values",
    "alone",
    "given_at",
    "own_lines",
    "rewritten",
]

AN_INDEX, A_PRODUCT = "[]", "@"  # in place of a call's name: the failing index, the only `left @ right`
OPERATORS = ("and", "or", "not")
DECIDING = (ast.If, ast.While, ast.Assert, ast.IfExp, ast.comprehension)
TURNS = words("transpose permute movedim moveaxis swapaxes swapdims t T mT")


class FailingLine(EditedLines):
    """What is known of the line that failed, and the words for an edit."""

    def written(self, node: ast.expr | None, base: str, new: str) -> LineEdit | None:
        """The failing line with `new` in the place of a node that was read off `base`; for an edit that what
        is known of the shapes settles, so that nobody has to look what else uses the name.
        """
        edit = rewritten(self.here, node, new, base=base)
        return edit._replace(alone=self.is_called_once()) if edit is not None else None

    def given_otherwise(self, given: str, new: str) -> LineEdit | None:
        """As `rewritten`, where the shapes settle it; what else uses the name counts only where the object
        is called on other lines, which may lack the same.
        """
        edit, call = self.rewritten(given, new), failing_call(self.here)
        if edit is None or call is None or self.source is None:
            return edit
        lines = {each.lineno for each in self.source.called_as(last_name(call.func))}
        return edit._replace(alone=len(lines) == 1 and self.is_called_once())

    def as_a_batch(self) -> LineEdit | None:
        """A sample as a batch of one where the program gives it to its model; not in a loop, which goes over
        batches, unless nothing is trained there.
        """
        outside = self.model_called()
        statement, call = outside.statement(), failing_call(outside.here)
        if outside.source is None or statement is None or call is None or outside.here == self.here:
            return None
        if outside.source.loops(statement) and without_gradients(outside.source, statement) is None:
            return None
        edit = outside.rewritten("0", "{it}.unsqueeze(0)")
        given = given_at(call, "0")
        while isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute):
            given = given.func.value  # `images[0]` of `images[0].to(device)`
        one = isinstance(given, ast.Subscript) and type(constant(given.slice)) is int
        return edit._replace(alone=edit.alone or one) if edit is not None else None

    def samples_kept(self, call: ast.Call, width: int, features: int) -> LineEdit | None:
        """A `view(-1, width)` as a flatten of each sample, and the class's only Linear of that width with the
        features that a sample has.
        """
        source, owner = self.source, receiver(call)
        sizes = {
            each: given_at(each, "0|in_features")
            for each in self.calls("Linear")
            if source is not None and source.class_of(each) is source.class_of(call)
        }
        found = [
            size
            for size in sizes.values()
            if size is not None and source is not None and value_of(source, size) == width
        ]
        if source is None or len(found) != 1:
            return None
        whole, kept, made = (source.place_of(each) for each in (call, owner, found[0]))
        if whole is None or kept is None or made is None:
            return None
        edit = LineEdit(whole, whole.with_text(f"{kept.written}.flatten(1)"), alone=True)
        return edit.with_more(LineEdit(made, made.with_text(str(features))))

    def with_keyword(self, calls: list[ast.Call], keyword: str) -> LineEdit | None:
        """The only one of these calls with the keyword added; of several, the only one that shuffles (the
        loader of the training data).
        """
        calls = [call for call in calls if argument(call, -1, keyword.partition("=")[0]) is None]
        if len(calls) > 1:
            calls = [call for call in calls if constant(argument(call, -1, "shuffle")) is True]
        if len(calls) != 1 or self.source is None:
            return None
        call, place = calls[0], self.source.place_of(calls[0])
        if place is None:
            return self.shown(call.lineno)
        inner = place.written[:-1].rstrip().removesuffix(",").rstrip()
        comma = ", " if call.args or call.keywords else ""
        return LineEdit(place, place.with_text(f"{inner}{comma}{keyword})"))

    def with_argument(self, calls: list[ast.Call], given: str, new: str, was: str = "") -> LineEdit | None:
        """The argument of the only one of these calls as `new`: of those where it is the number `was`."""
        source = self.source
        if source is None:
            return None
        found = {
            place: call
            for call in calls
            for place, node in _places(source, [given_at(call, given)]).items()
            if not was or str(value_of(source, node)) == was
        }
        if len(found) != 1:
            return None
        [(place, call)] = found.items()
        filled = with_own_parts(call, new)
        return None if filled is None else LineEdit(place, place.with_text(filled))

    def where_made(self, names: str, given: str, new: str, was: str) -> LineEdit | None:
        """The argument of the only call of these names that made the failing object, if it is the number
        `was`; in `new`, {it} is what stands there. A size that is a name is the one only where no other could
        be. Nothing where the line turns what it gives the layer: then that may be the mistake, and a layer of
        the size that arrives would run and be wrong.
        """
        source, call = self.source, failing_call(self.here)
        turned = inside(call.args[0] if call is not None and call.args else None, ast.Attribute)
        if source is None or any(each.attr in TURNS for each in turned):
            return None
        found = _places(source, [given_at(maker, given) for maker in self.makers(names)])
        found = found or _places(
            source, handed_on(source, self.here, names, lambda each: given_at(each, given))
        )
        sizes = {place: value_of(source, node) for place, node in found.items()}
        certain = [place for place, size in sizes.items() if str(size) == was]
        known = any(size is not None for size in sizes.values())
        left = certain or ([] if known else [*found])
        if len(left) != 1:
            return None
        place, node = left[0], found[left[0]]
        before = self._width_before(node, new)
        if before is not None:
            return LineEdit(place, place.with_text(ast.unparse(before)), alone=constant(before) is None)
        for outer, size in self._made_outside(source, node).items():
            if str(value_of(source, size)) == was:
                place, node = outer, size
        same = (
            each for each in inside(node, ast.Name) if each is not node and str(value_of(source, each)) == new
        )
        new = next((each.id for each in same), new)
        simple = place.written.replace(".", "").isidentifier() or place.written.isdecimal()
        new = new.replace(IT, place.written if simple else f"({place.written})")
        product = _as_product(place, node, new)
        return LineEdit(place, place.with_text(new) + (f"  # {product}" if product else ""))

    def _width_before(self, node: ast.expr, new: str) -> ast.expr | None:
        """What the layer in front gives, as it is written where the failing one is made; None where it is not
        the size `new`, or known to be so.
        """
        source = self.source
        made = source.parent[node] if source is not None else None
        made = source.parent[made] if source is not None and isinstance(made, ast.keyword) else made
        if source is None or not isinstance(made, ast.Call):
            return None
        before = width_before(source, made, self.call)
        if before is None or ast.unparse(before) == ast.unparse(node):
            return None
        return before if str(value_of(source, before)) in (new, "None") else None

    def _made_outside(self, source: Module, node: ast.expr) -> dict[LinePart, ast.expr]:
        """Where the object around the failing line got what its class hands on as `node`: of
        `nn.Conv2d(width, width, 3)` in a Block the `Block(32)` that made the one which the caller calls.

        Nothing where it is no bare parameter of the class's `__init__` that this line alone uses (what else
        is made of it would change too), or the object is not plain.
        """
        around = source.around(self.here.line or 0, ast.ClassDef)
        begins = list(methods_of(source, around[-1].name, "__init__")) if around else []
        names = [each.arg for each in begins[0].args.args[1:]] if begins else []
        if not self.callers or not isinstance(node, ast.Name) or node.id not in names:
            return {}
        if {each.lineno for each in inside(begins[0], ast.Name) if each.id == node.id} != {node.lineno}:
            return {}
        outside = read_source(self.callers[0])
        calls = makers(outside, self.callers[0], around[-1].name, owners=1) if outside is not None else []
        if outside is None or len(calls) != 1:
            return {}
        return _places(outside, [given_at(calls[0], f"{names.index(node.id)}|{node.id}")])

    def rewritten(self, given: str, new: str, name: str = "") -> LineEdit | None:
        """The failing line with `new` in the place of an argument of the failing call, or of the only call of
        `name` there; {it} in it is the argument as it stands.
        """
        node, base, call = self._meant(given, name)
        clear = call is not None or isinstance(node, OPERANDS)
        return rewritten(self.here, node, new, call, base) if clear else None

    def _meant(self, given: str, name: str) -> tuple[ast.expr | None, str, ast.Call | None]:
        """(node, the text that it was read off, the call whose argument it is): of the failing call, of the
        only call of `name`, the failing index, or an operand of the only matrix product.
        """
        code, marked = self.here.code, self.here.expression
        if name == AN_INDEX:
            indices = [each.slice for each in inside(parsed_line(marked or code), ast.Subscript)]
            return indices[0] if len(indices) == 1 else None, marked or code, None
        if name == A_PRODUCT:
            every = (
                each for each in inside(parsed_line(code), ast.BinOp) if isinstance(each.op, ast.MatMult)
            )
            products = [each.left if given == "0" else each.right for each in every]
            return products[0] if len(products) == 1 else None, code, None
        call = only_call(code, name) if name else failing_call(self.here)
        if call is None:
            return None, "", None
        if marked and not name and ast.get_source_segment(marked, call.func) == ast.unparse(call.func):
            return given_at(call, given), marked, call
        return given_at(call, given), code, call

    def replaced(self, old: str, new: str) -> LineEdit | None:
        """The failing line with its only `old` as `new`; None where an operator in place of another (`&` for
        `and`) would take other operands, or would still decide something.
        """
        code = self.here.code
        after = code.replace(old, new) if old and code.count(old) == 1 else code
        if old.strip() in OPERATORS:
            before, changed = parsed_line(code), parsed_line(after)
            if before is None or changed is None or any(inside(before, *DECIDING)):
                return None
            if _operands(before) != _operands(changed):
                return None
        place = LinePart(self.here.file, self.here.line, code, 0, len(code))
        return LineEdit(place, after) if after != code else None


def _places(source: Module, nodes: Sequence[ast.expr | None]) -> dict[LinePart, ast.expr]:
    """Where these stand, each once; those that are not given, or not on one line, are left out."""
    found = [(source.place_of(node), node) for node in nodes if not isinstance(node, ast.Starred)]
    return {place: node for place, node in found if place is not None and node is not None}


def _operands(tree: ast.AST) -> list[list[str]]:
    """What stands beside each `and`, `or`, `not`, `&`, `|` and `~` of a line."""
    found: list[list[ast.expr]] = []
    for node in inside(tree, ast.BoolOp, ast.BinOp, ast.UnaryOp):
        if isinstance(node, ast.BoolOp):
            found.append(node.values)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr):
            found.append([node.left, node.right])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
            found.append([node.operand])
    return [[ast.unparse(each) for each in operands] for operands in found]


def _as_product(place: LinePart, node: ast.expr, new: str) -> str:
    """The new number as channels by height by width, where the old one was written so; "" otherwise."""
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        node = node.left
    channels = number_of(node)
    if place.written.count("*") != 2 or not channels or not new.isdecimal() or int(new) % channels:
        return ""
    side = math.isqrt(int(new) // channels)
    return f"{channels} * {side} * {side}" if side > 1 and side * side * channels == int(new) else ""
