"""What is known of the line that failed: its file, its callers, what made its values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from torchwhy.paste.place import UserFrame

from .line import failing_call, only_call
from .module import Module
from .nodes import LinePart, argument, characters, end, is_open, last_name, own_nodes, position
from .origins import origins
from .own_file import calls_of, makers, names_of, read_source
from .record import CrashRecord, Sizes

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")
STATEMENTS = tuple(
    each
    for each in vars(ast).values()
    if isinstance(each, type) and issubclass(each, ast.stmt) and each is not ast.stmt
)


class Declined(Exception):
    """What an edit is made of is not known, so there is none."""


class KnownLine(NamedTuple):
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

    def is_called_once(self) -> bool:
        """Whether the file calls the failing line's function from one place at most: from others it may be
        given what it works well with.
        """
        source = self.source
        around = source.around(self.here.line or 0, ast.FunctionDef) if source is not None else []
        return source is None or not around or len(source.called_as(around[-1].name)) <= 1

    def model_called(self) -> Self:
        """The line outside that calls the model: the first around the failing one that is in no forward."""
        lines = [self.here, *self.callers]
        inner = [at for at, each in enumerate(lines) if each.function.rpartition(".")[2] == "forward"]
        if not inner or inner[-1] + 1 == len(lines):
            return self
        here = lines[inner[-1] + 1]
        return self._replace(
            here=here, source=read_source(here), callers=lines[inner[-1] + 2 :], record=CrashRecord()
        )

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

    @property
    def file(self) -> Module:
        """The file, for an edit that there is only where it is read."""
        return _known(self.source)

    @property
    def failed(self) -> ast.Call:
        """`call`, for an edit that there is only where that is clear."""
        return _known(self.call)

    @property
    def failing(self) -> ast.stmt:
        """`statement()`, for an edit that there is only where that is clear."""
        return _known(self.statement())

    def caller(self) -> Self | None:
        """The line that called the failing one's function, if its file can be read."""
        if not self.callers:
            return None
        return self._replace(
            here=self.callers[0],
            source=read_source(self.callers[0]),
            callers=self.callers[1:],
            record=CrashRecord(),
        )

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

    def calls_behind(self, node: ast.expr | None, names: str) -> list[ast.Call]:
        """The calls of these names (`expand|expand_as`) among what may have made a value of the file's."""
        made = origins(self.source, node) if self.source is not None else []
        calls = [each for each in made if isinstance(each, ast.Call)]
        return [each for each in calls if last_name(each.func) in names.split("|")]

    def method_of(self, call: ast.Call) -> LinePart | None:
        """The part of a method's call behind what it is called on: `.astype(int)`."""
        source, func = self.source, call.func
        if source is None or not isinstance(func, ast.Attribute) or func.end_lineno != call.end_lineno:
            return None
        text = source.lines[(func.end_lineno or 1) - 1]
        start, stop = (characters(text, each.end_col_offset or 0) for each in (func, call))
        return LinePart(source.path, func.end_lineno, text, start - len(func.attr) - 1, stop)

    def made_by(self, node: ast.expr | None, steps: int = 4) -> tuple[Self, ast.expr] | None:
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
        given = self._given_for(source, node)
        return given[0].made_by(given[1], steps - 1) if given is not None else None

    def where_given(self, node: ast.expr | None) -> tuple[Self, ast.expr | None]:
        """What this call gave for a parameter of a function that several lines call, and the line there; of
        anything else, itself.
        """
        source = self.source
        if source is None or not isinstance(node, ast.Name):
            return self, node
        bound = source.bindings(node)
        function = source.function(bound[0].node) if [each.part for each in bound] == ["param"] else None
        several = function is not None and len(source.calls_of(function)) > 1
        given = self._given_for(source, node) if several else None
        return given[0].where_given(given[1]) if given is not None else (self, node)

    def _given_for(self, source: Module, name: ast.Name) -> tuple[Self, ast.expr | None] | None:
        """What the call of the function gave for a parameter, with that line."""
        function, caller = source.function(name), self.caller()
        call = caller.call if caller is not None else None
        if caller is None or caller.source is None or call is None or function is None or is_open(call):
            return None
        if caller.source.name(call.func).startswith("torch."):
            return None  # `checkpoint(block, x)`: its arguments are not the function's
        return caller, source.given(function, call, name.id)

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


def _known(value: T | None) -> T:
    if value is None:
        raise Declined
    return value


def given_at(call: ast.Call, given: str) -> ast.expr | None:
    """The argument of that name, else the one at that place; None where it is not given."""
    place, _, keyword = given.partition("|")
    node, at = argument(call, -1, keyword or None), int(place)
    return call.args[at] if node is None and -len(call.args) <= at < len(call.args) else node


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
