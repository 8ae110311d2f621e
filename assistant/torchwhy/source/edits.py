"""How a line of the user's is edited: the words of an entry's `edits`, and of the functions in its `edit.py`.

    def wider(line, values):
        return line.where_made("Linear", "0|in_features", values["got"], was=values["want"])

A function gets the failing line and the values of the message, and gives the edit, or None where none follows
from what is known. An argument is named by its place (-1: the last), its keyword, or both: `0|in_features`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from torchwhy.paste.place import UserFrame
from torchwhy.text.lazy_re import lazy_compile

from .line import failing_call, only_call, parsed_line
from .module import Module
from .nodes import (
    LinePart,
    argument,
    argument_of,
    characters,
    constant,
    end,
    inside,
    is_open,
    last_name,
    number_of,
    own_nodes,
    position,
    words,
)
from .own_file import (
    calls_of,
    handed_on,
    makers,
    methods_of,
    names_of,
    read_source,
    value_of,
    without_gradients,
)
from .record import CrashRecord, Sizes

IT = "{it}"  # in what is written: what stood there
FIRST_ARGUMENT, RECEIVER = "{argument0}", "{object}"  # of the call, as the user wrote them
AN_INDEX, A_PRODUCT = "[]", "@"  # in place of a call's name: the failing index, the only `left @ right`
OPERATORS = ("and", "or", "not")
DECIDING = (ast.If, ast.While, ast.Assert, ast.IfExp, ast.comprehension)
KEYWORD = lazy_compile(r",\s*(\w+)=")
TURNS = words("transpose permute movedim moveaxis swapaxes swapdims t T mT")
STATEMENTS = tuple(
    each
    for each in vars(ast).values()
    if isinstance(each, type) and issubclass(each, ast.stmt) and each is not ast.stmt
)
NAMED = (ast.Name, ast.Attribute)  # which runs nothing when it is written twice
# What a method or an index can be written behind without brackets, and with them.
OPERANDS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
IN_BRACKETS = (ast.BinOp, ast.UnaryOp, ast.Compare)


Values = Mapping[str, str]


class LineEdit(NamedTuple):
    """A part of one of the user's lines, and the whole line as it reads afterwards, "" where it goes. None:
    nothing is edited, and the place only tells that the change fits the file.

    `after` may be several lines: each behind the first with the indentation that it has in the file.
    `values`: what the words of the change may fill in beside the message's values. `alone`: nothing but the
    failing case can change, so nobody has to look. `more`: other lines that are edited with it, of any file.
    """

    place: LinePart
    after: str | None = None
    values: Values = MappingProxyType({})
    alone: bool = False
    more: tuple[LineEdit, ...] = ()

    def with_more(self, *others: LineEdit | None) -> LineEdit | None:
        """These edits as one; None where one is None, or two are of one line."""
        more = [*self.more]
        for other in others:
            if other is None:
                return None
            more += [other._replace(more=()), *other.more]
        places = {(each.place.file, each.place.line) for each in (self, *more)}
        return self._replace(more=(*more,)) if len(places) == 1 + len(more) else None


def alone(edit: LineEdit | None) -> LineEdit | None:
    """The edit as one of which nobody has to look how far it reaches: whoever made it did."""
    return edit._replace(alone=True) if edit is not None else None


class FailingLine(NamedTuple):
    """What is known of the user's program: the line that failed, its file (None where it is not read), the
    lines that called its function, the innermost first, which line made what the failing one is given, and
    what a record of the crash says of its expressions.
    """

    here: UserFrame
    source: Module | None = None
    callers: Sequence[UserFrame] = ()
    made: Callable[[str], UserFrame | None] = lambda written: None
    record: CrashRecord = CrashRecord()

    def uses(self, *names: str) -> bool:
        """Whether the file is read and uses one of these names."""
        return self.source is not None and not names_of(self.source).isdisjoint(names)

    def calls(self, names: str) -> list[ast.Call]:
        """Every call of one of these (`DataParallel|DDP`) in the file."""
        return calls_of(self.source, names) if self.source is not None else []

    def given(self) -> Sizes | None:
        """The shape of what the failing call is given first."""
        call = failing_call(self.here)
        known = self.record.shape(call.args[0]) if call is not None and call.args else None
        return known if known is not None else self.record.inner("input")

    def makers(self, names: str) -> list[ast.Call]:
        """The calls of one of these that made the objects which the failing line calls."""
        return makers(self.source, self.here, names) if self.source is not None else []

    def only(self, names: str) -> tuple[ast.Call | None, str]:
        """The only call of one of these names in the line, else in the part of it that failed, and the text
        that it was read off.
        """
        texts = (self.here.code, self.here.expression)
        found = ((only_call(text, names), text) for text in texts if text)
        return next(((call, text) for call, text in found if call is not None), (None, ""))

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

    def is_called_once(self) -> bool:
        """Whether the file calls the failing line's function from one place at most: from others it may be
        given what it works well with.
        """
        source = self.source
        around = source.around(self.here.line or 0, ast.FunctionDef) if source is not None else []
        return source is None or not around or len(source.called_as(around[-1].name)) <= 1

    def model_called(self) -> FailingLine:
        """The line outside that calls the model: the first around the failing one that is in no forward."""
        lines = [self.here, *self.callers]
        inner = [at for at, each in enumerate(lines) if each.function.rpartition(".")[2] == "forward"]
        if not inner or inner[-1] + 1 == len(lines):
            return self
        here = lines[inner[-1] + 1]
        return self._replace(
            here=here, source=read_source(here), callers=lines[inner[-1] + 2 :], record=CrashRecord()
        )

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

    @property
    def call(self) -> ast.Call | None:
        """The failing call as it stands in the file: what reads as the marked one does, else the only call
        that goes on in the lines below.
        """
        if self.source is None:
            return None
        there = [each for each in self.source.of(ast.Call) if each.lineno == self.here.line]
        marked = failing_call(self.here)
        text = ast.unparse(marked) if marked is not None else ""
        found = [
            each
            for each in there
            if (ast.unparse(each) == text if text else (each.end_lineno or 0) > each.lineno)
        ]
        return found[0] if len(found) == 1 else None

    def caller(self) -> FailingLine | None:
        """The line that called the failing one's function, if its file can be read."""
        if not self.callers:
            return None
        return FailingLine(self.callers[0], read_source(self.callers[0]), self.callers[1:], self.made)

    def unread(self, call: ast.Call) -> list[str]:
        """The names that were bound for this call, in order: above it in its loop, its function or the file,
        and read nowhere; those of the loop itself not above it. A counter is none of them.
        """
        source = self.source
        if source is None:
            return []
        statement = source.statement(call)
        own = {*ast.walk(statement)} if isinstance(statement, ast.Assign | ast.AnnAssign) else set()
        nodes = (each for each in own_nodes(source.scope(call)) if isinstance(each, ast.Name | ast.arg))
        bound: dict[str, ast.AST] = {}
        for node in sorted(nodes, key=position):
            if node not in own and end(node) < position(call) and _is_for(source, node, call):
                bound[node.arg if isinstance(node, ast.arg) else node.id] = node
        loops = source.loops(call)
        near = [name for name, node in bound.items() if loops and loops[0] in source.above(node)]
        return near or [*bound]

    def put(self, node: ast.expr | None, new: str) -> LineEdit | None:
        """`new` in the place of a node of the file, which stands on one line; {it} in it is the node."""
        place = self.source.place_of(node) if self.source is not None else None
        if place is None:
            return None
        return LineEdit(place, place.with_text(new.replace(IT, place.written)))

    def method_of(self, call: ast.Call) -> LinePart | None:
        """The part of a method's call behind what it is called on: `.astype(int)`."""
        source, func = self.source, call.func
        if source is None or not isinstance(func, ast.Attribute) or func.end_lineno != call.end_lineno:
            return None
        text = source.lines[(func.end_lineno or 1) - 1]
        start, stop = (characters(text, each.end_col_offset or 0) for each in (func, call))
        return LinePart(source.path, func.end_lineno, text, start - len(func.attr) - 1, stop)

    def put_all(self, parts: Sequence[tuple[LinePart | None, str]]) -> LineEdit | None:
        """Each of these parts of the file as that text; None where one is not on one line."""
        lines: dict[int | None, str] = {}
        for place, new in sorted(parts, key=lambda part: part[0].start if part[0] else 0, reverse=True):
            if place is None:
                return None
            text = lines.get(place.line, place.text)
            lines[place.line] = text[: place.start] + new + text[place.end :]
        found = [self.shown(line, text.strip()) for line, text in sorted(lines.items()) if line]
        first = found[0] if found else None
        return first.with_more(*found[1:]) if first is not None else None

    def made_by(self, node: ast.expr | None, steps: int = 4) -> tuple[FailingLine, ast.expr] | None:
        """What a name of this line was given: a parameter by the call of the function, a name by the only
        assignment that reaches it; with the line that its file is read by. What a loop gives a name is the
        name itself. None where it is not known.
        """
        source = self.source
        if source is None or node is None or steps <= 0 or not isinstance(node, ast.Name):
            return (self, node) if source is not None and node is not None else None
        bound = source.bindings(node)
        if len(bound) != 1 or bound[0].part not in ("whole", "param", "each"):
            return None
        if bound[0].part == "each":
            return self, node
        if bound[0].value is not None:
            return self.made_by(bound[0].value, steps - 1)
        function, caller = source.function(node), self.caller()
        call = caller.call if caller is not None else None
        if caller is None or caller.source is None or call is None or function is None or is_open(call):
            return None
        if caller.source.name(call.func).startswith("torch."):
            return None  # `checkpoint(block, x)`: its arguments are not the function's
        method = isinstance(source.parent.get(function), ast.ClassDef)
        return caller.made_by(argument_of(function, call, node.id, method), steps - 1)

    def shown(self, line: int, after: str | None = None) -> LineEdit | None:
        """A line of the file, by its number, and as it is to read."""
        if self.source is None:
            return None
        text = self.source.lines[line - 1]
        return LineEdit(LinePart(self.source.path, line, text, 0, len(text)), after)

    def put_before(self, statement: ast.stmt, text: str) -> LineEdit | None:
        """Lines in front of a statement, indented as it is (`text` begins at column 0)."""
        return self._put(statement, text, "")

    def put_behind(self, statement: ast.stmt, text: str) -> LineEdit | None:
        """Lines behind a statement, indented as it is."""
        return self._put(statement, "", text)

    def _put(self, statement: ast.stmt, above: str, below: str) -> LineEdit | None:
        source, rows = self.source, own_lines(self.source, statement) if self.source is not None else None
        if source is None or rows is None:
            return None
        indent = source.lines[statement.lineno - 1][: statement.col_offset]
        at = rows.start if above else rows.stop - 1
        put = [f"{indent}{row}" for row in (above or below).split("\n")]
        here = [source.lines[at - 1]]
        return self.shown(at, "\n".join(put + here if above else here + put).strip())

    def taken_away(self, statement: ast.stmt) -> LineEdit | None:
        """Without a statement's lines; None where another one stands on them, or it is the only one of its
        block.
        """
        source = self.source
        rows = own_lines(source, statement) if source is not None else None
        if source is None or rows is None or is_only_one(source.parent[statement], statement):
            return None
        first, *others = (self.shown(row, "") for row in rows)
        return first.with_more(*others) if first is not None else None

    def moved(
        self, statements: Sequence[ast.stmt], before: ast.stmt | None = None, behind: ast.stmt | None = None
    ) -> LineEdit | None:
        """Statements in front of another one, or behind it, their lines as they are."""
        texts = [self._text_of(each) for each in statements]
        text = "\n".join(each or "" for each in texts)
        put = self.put_before(before, text) if before is not None else None
        put = self.put_behind(behind, text) if behind is not None else put
        if put is None or not all(texts):
            return None
        return put.with_more(*map(self.taken_away, statements))

    def _text_of(self, statement: ast.stmt) -> str | None:
        """A statement's lines from its own column on; None where a text on several lines would change."""
        source, rows = self.source, own_lines(self.source, statement) if self.source is not None else None
        if source is None or rows is None:
            return None
        column, lines = statement.col_offset, [source.lines[row - 1] for row in rows]
        return (
            None
            if any(each[:column].strip() for each in lines)
            else "\n".join(each[column:] for each in lines)
        )

    def wrapped(self, statements: Sequence[ast.stmt], header: str) -> LineEdit | None:
        """Statements one behind the other under a header (`with torch.no_grad():`)."""
        source = self.source
        found = [own_lines(source, each) for each in statements] if source is not None else []
        if source is None or not found or not all(found) or not all(map(self._text_of, statements)):
            return None
        rows = [row for each in found if each is not None for row in each]
        texts = {row: source.lines[row - 1].strip() for row in rows if source.lines[row - 1].strip()}
        first, *others = (self.shown(row, f"    {text}") for row, text in texts.items())
        column = statements[0].col_offset
        line = source.lines[rows[0] - 1]
        put = self.shown(rows[0], f"{header}\n{line[:column]}    {line.strip()}")
        return put.with_more(*others) if put is not None and first is not None else None

    def statement(self) -> ast.stmt | None:
        """The innermost statement of the failing line; of several (`a(); b()`) the one that is marked."""
        source, marked = self.source, self.here.expression
        found = source.around(self.here.line or 0, *STATEMENTS) if source is not None else []
        last = [each for each in found if source and source.parent[each] is source.parent[found[-1]]]
        if source is not None and len(last) > 1:
            its = [
                each
                for each in last
                if marked and marked in (ast.get_source_segment(source.text, each) or "")
            ]
            return its[0] if len(its) == 1 else None
        return found[-1] if found else None

    def samples_kept(self, call: ast.Call, width: int, features: int) -> LineEdit | None:
        """A `view(-1, width)` as a flatten of each sample, and the class's only Linear of that width with the
        features that a sample has.
        """
        source, owner = self.source, call.func.value if isinstance(call.func, ast.Attribute) else None
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


def own_lines(source: Module, statement: ast.stmt) -> range | None:
    """The numbers of a statement's lines, its decorators' too; None where something else stands on them."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(each.lineno for each in decorators)])
    last = statement.end_lineno or first
    ahead = source.lines[statement.lineno - 1].encode()[: statement.col_offset]
    behind = source.lines[last - 1].encode()[statement.end_col_offset or 0 :].strip()
    if ahead.strip(b" ") or (behind and not behind.startswith(b"#")):
        return None
    return range(first, last + 1)


def is_only_one(above: ast.AST, statement: ast.stmt) -> bool:
    """Whether a block of the node above consists of this statement alone."""
    return any(block == [statement] for _, block in ast.iter_fields(above))


def rewritten(
    here: UserFrame, node: ast.expr | None, new: str, call: ast.Call | None = None, base: str = ""
) -> LineEdit | None:
    """A line with `new` in the place of a node that was read off it (off `base`, a part of it); `call`: whose
    argument it is. None where that is not clear, and where it reads so already.
    """
    place = place_in(here, node, base or here.code)
    filled = with_own_parts(call, new) if call is not None else new
    if place is None or filled is None:
        return None
    before, it, behind = filled.partition(IT)
    written = place.written
    if it and behind.startswith((".", "[")):
        if not isinstance(node, (*OPERANDS, *IN_BRACKETS)):
            return None
        written = written if isinstance(node, OPERANDS) else f"({written})"
    keyword = KEYWORD.match(behind) if not before and call is not None else None
    if (
        keyword
        and call is not None
        and (argument(call, -1, keyword[1]) is not None or node in call.args[:-1])
    ):
        return None  # given already, or a positional argument would come behind a keyword
    if it and place.written.startswith(before) and place.written.endswith(behind):
        return None
    return LineEdit(place, place.with_text(before + written + behind if it else filled))


def _is_for(source: Module, node: ast.Name | ast.arg, call: ast.Call) -> bool:
    """Whether a name is bound there, surely before the call, and this value of it is read nowhere (of the
    loop around the call: not above it, since what is counted below may read it too).
    """
    name = node.arg if isinstance(node, ast.arg) else node.id
    if name.startswith("_") or name in ("self", "cls") or isinstance(getattr(node, "ctx", None), ast.Load):
        return False
    loop = next((each for each in source.above(node) if isinstance(each, ast.For)), None)
    of_loop = loop is not None and node in ast.walk(loop.target)
    if loop is not None and of_loop and (loop not in source.above(call) or _counts(loop, node)):
        return False
    uses = [each for each in source.of(ast.Name) if each.id == name and isinstance(each.ctx, ast.Load)]
    if of_loop:
        uses = [each for each in uses if each.lineno <= (call.end_lineno or 0)]
    read = (bound.node for use in uses for bound in source.bindings(use))
    return source.dominates(node, call) and not any(node in ast.walk(each) for each in read)


def _counts(loop: ast.For, node: ast.AST) -> bool:
    """Whether a loop counts in this name: `i` of `for i in range(9)` and of `for i, x in enumerate(xs)`."""
    name = last_name(loop.iter.func) if isinstance(loop.iter, ast.Call) else ""
    first = loop.target.elts[0] if isinstance(loop.target, ast.Tuple | ast.List) else None
    return name.endswith("range") or (name == "enumerate" and node is first)


def _places(source: Module, nodes: Sequence[ast.expr | None]) -> dict[LinePart, ast.expr]:
    """Where these stand, each once; those that are not given, or not on one line, are left out."""
    found = [(source.place_of(node), node) for node in nodes if not isinstance(node, ast.Starred)]
    return {place: node for place, node in found if place is not None and node is not None}


def given_at(call: ast.Call, given: str) -> ast.expr | None:
    """The argument of that name, else the one at that place; None where it is not given."""
    place, _, keyword = given.partition("|")
    node, at = argument(call, -1, keyword or None), int(place)
    return call.args[at] if node is None and -len(call.args) <= at < len(call.args) else node


def place_in(here: UserFrame, node: ast.expr | None, base: str) -> LinePart | None:
    """Where a node that was read off `base`, a part of a line, stands in the line; None where that is not
    clear.
    """
    if node is None or isinstance(node, ast.Starred) or not base.isascii() or here.code.count(base) != 1:
        return None
    if not node.lineno == node.end_lineno == 1:
        return None
    at = here.code.find(base)
    return LinePart(here.file, here.line, here.code, at + node.col_offset, at + (node.end_col_offset or 0))


def with_own_parts(call: ast.Call, text: str) -> str | None:
    """`text` with the call's first argument and what its method is called on, as the user wrote them; None
    where one is called itself, and would run twice.
    """
    first = call.args[0] if call.args and isinstance(call.args[0], NAMED) else None
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    for name, node in ((FIRST_ARGUMENT, first), (RECEIVER, owner if isinstance(owner, ast.Name) else None)):
        if name in text:
            if node is None:
                return None
            text = text.replace(name, ast.unparse(node))
    return text


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
