"""One file as rules see it: resolved names, what a name stands for, classes, calls.

Names are followed as far as the text settles them: the assignments that reach a use inside a function, module
constants, `self.x` of the class and its bases, arguments where the callers are in the same file. What the
text does not settle stays what it is written as; a rule that needs more says nothing.
"""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from .conventions import CONVENTIONS
from .nodes import (
    Function,
    LinePart,
    N,
    argument_of,
    characters,
    children,
    end,
    holds,
    inside,
    is_self,
    last_name,
    own_nodes,
    position,
    returned,
)

T = TypeVar("T")
CELL_END = " \t "  # blanks behind the last line of a notebook's cell
Assignment = ast.Assign | ast.AnnAssign | ast.NamedExpr
Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef

BUFFERS = ("register_buffer", "register_parameter", "add_module", "register_module")  # of a module
MAX_STEPS = 10  # names that are followed one behind the other
MAX_VALUES = 8  # that one expression is said to stand for
MAX_BINDINGS = 500  # of a name that is followed; each use looks at all of them, so more take the square
MAX_LOOKS = 300_000  # at nodes, by one rule in one file, and LOOKS more for each node of the file
LOOKS = 5
CANONICAL = {
    "torch.utils.data.dataloader": "torch.utils.data",
    "torch.utils.data.dataset": "torch.utils.data",
    "torch.optim.optimizer": "torch.optim",
    "torch.nn.parameter": "torch.nn",
    "torch.cuda.amp.grad_scaler": "torch.cuda.amp",
    "torch.nn.modules": "torch.nn",
    "torch.distributed.distributed_c10d": "torch.distributed",
}


class Binding(NamedTuple):
    """One place where a name gets a value. `part`: whole, each (of an iterable), item (of a tuple), enter (of
    a context), param.
    """

    node: ast.AST
    value: ast.expr | None
    part: str = "whole"
    index: int = 0  # type: ignore[assignment]


class Class:
    """A class of the file: its methods, and every value that is assigned to an attribute of self."""

    def __init__(self, node: ast.ClassDef, bases: list[str]) -> None:
        self.node, self.bases = node, bases
        self.methods: dict[str, Function] = {}
        self.attributes: dict[str, list[ast.expr]] = {}
        self.items: dict[str, Binding] = {}  # of `self.a, self.b = build()`


class TooMuchError(Exception):
    """A rule looks at nodes far more often than the file has them: a file that only a machine writes."""


class _ByType(dict[type[ast.AST], list[ast.AST]]):
    """The nodes of each type; asking for them counts."""

    def __init__(self, found: dict[type[ast.AST], list[ast.AST]], count: Callable[[int], None]) -> None:
        super().__init__(found)
        self._count = count

    def __getitem__(self, kind: type[ast.AST]) -> list[ast.AST]:
        found = self.get(kind, [])
        self._count(len(found))
        return found


class Module:
    """A parsed file with its indexes. Lines count from 1, columns from 0, as in `ast`."""

    def __init__(self, path: str, text: str, tree: ast.Module) -> None:
        self.path, self.text, self.tree = path, text, tree
        self.lines = text.split("\n")
        self.parent: dict[ast.AST, ast.AST] = {}
        self.by_type: dict[type[ast.AST], list[ast.AST]] = {}
        self._left: float = 0
        self.imports: dict[str, str] = {}
        self.classes: dict[str, Class] = {}
        self.functions: dict[str, Function] = {}
        self._method_names: set[str] = set()
        self._bindings: dict[tuple[ast.AST, str], list[Binding]] = defaultdict(list)
        self.known: dict[tuple[str, ast.AST], Any] = {}  # what `once` has computed
        self._names: dict[ast.AST, str] = {}
        self._named: dict[str, list[ast.Call]] | None = None
        self._calls_of: dict[str, list[ast.Call]] = defaultdict(list)
        self.elsewhere: Callable[[str], tuple[Module, ast.AST] | None] = lambda dotted: None
        self._index()

    @property
    def is_test(self) -> bool:
        """Whether it belongs to a suite of tests, in which no model is trained for its own sake."""
        if any(origin.split(".")[0] in ("pytest", "unittest") for origin in self.imports.values()):
            return True
        *folders, name = self.path.replace("\\", "/").split("/")
        behind = name.endswith("_test.py") and not {"test", "tests"}.isdisjoint(folders)
        if not (behind or name.startswith("test_")):
            return False
        return any(each.name.startswith("test_") for each in self.of(ast.FunctionDef))

    def ends_cell(self, statement: ast.stmt) -> bool:
        """Whether a notebook shows the value of this statement: it is the last one of its cell."""
        first = statement.end_lineno or statement.lineno
        for number, line in enumerate(self.lines[first - 1 :]):
            if number and line.strip():
                return False
            if line.endswith(CELL_END):
                return True
        return False

    def of(self, *kinds: type[N]) -> Iterator[N]:
        """The nodes of exactly these types, one type after the other."""
        for kind in kinds:
            yield from self.by_type[kind]  # type: ignore[misc]

    def around(self, line: int, *kinds: type[N]) -> list[N]:
        """The statements of these types that a line stands in, the innermost last."""
        return sorted((each for each in self.of(*kinds) if holds(each, line)), key=position)

    def place_of(self, node: ast.expr | None) -> LinePart | None:
        """Where a node stands; None of None, and of one on several lines."""
        if node is None or node.lineno != node.end_lineno:
            return None
        text = self.lines[node.lineno - 1]
        start, stop = (characters(text, column or 0) for column in (node.col_offset, node.end_col_offset))
        return LinePart(self.path, node.lineno, text, start, stop)

    def begin(self, looks: float | None = None) -> None:
        """A rule begins: it may look at so many nodes; beyond that whatever it asks raises TooMuchError."""
        self._left = MAX_LOOKS + LOOKS * len(self.parent) if looks is None else looks

    def _count(self, looks: int) -> None:
        self._left -= looks
        if self._left < 0:
            raise TooMuchError("it would look at the same lines without end")

    # the indexes

    def _index(self) -> None:
        found: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        stack: list[ast.AST] = [self.tree]
        while stack:
            node = stack.pop()
            found[type(node)].append(node)
            below = children(node)
            for child in below:
                self.parent[child] = node
            stack += below[::-1]
        self.by_type = _ByType(found, self._count)
        self.begin()
        for node in self.of(ast.Import):
            for alias in node.names:
                first = alias.name.split(".")[0]
                self.imports[alias.asname or first] = alias.name if alias.asname else first
        for node in self.of(ast.ImportFrom):
            for alias in node.names:
                origin = f"{'.' * node.level}{node.module or ''}"
                self.imports[alias.asname or alias.name] = f"{origin}.{alias.name}"
        functions: Iterator[Function] = self.of(ast.FunctionDef, ast.AsyncFunctionDef)
        for function in functions:
            self.functions.setdefault(function.name, function)
            self._bind_parameters(function)
        for node in self.of(ast.Lambda):
            self._bind_parameters(node)
        for node in self.of(ast.ClassDef):
            self._index_class(node)
        self._index_bindings()
        for node in self.of(ast.Call):
            self._calls_of[last_name(node.func)].append(node)

    def _bind_parameters(self, node: Function | ast.Lambda) -> None:
        each = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        each += [arg for arg in (node.args.vararg, node.args.kwarg) if arg]
        for at, arg in enumerate(each):
            self._bindings[node, arg.arg].append(Binding(arg, None, "param", at))

    def _index_class(self, node: ast.ClassDef) -> None:
        found = Class(node, [self.name(base) for base in node.bases])
        self.classes.setdefault(node.name, found)
        for statement in node.body:
            if isinstance(statement, Function):
                found.methods[statement.name] = statement
                self._method_names.add(statement.name)
        parts: Iterator[ast.Assign | ast.AnnAssign | ast.Call] = inside(
            node, ast.Assign, ast.AnnAssign, ast.Call
        )
        for inner in parts:
            if isinstance(inner, ast.Call):
                self._index_buffer(found, inner)
            else:
                self._index_attributes(found, inner)

    def _index_attributes(self, found: Class, node: ast.Assign | ast.AnnAssign) -> None:
        for target, value in _pairs(node):
            if isinstance(target, ast.Attribute) and is_self(target):
                found.attributes.setdefault(target.attr, []).append(value)
            elements = target.elts if isinstance(target, ast.Tuple) else []
            for at, each in enumerate(elements if isinstance(value, ast.Call) else []):
                if isinstance(each, ast.Attribute) and is_self(each):
                    found.items[each.attr] = Binding(node, value, "item", at)

    def _index_buffer(self, found: Class, call: ast.Call) -> None:
        if last_name(call.func) in BUFFERS and is_self(call.func) and len(call.args) > 1:
            name = getattr(call.args[0], "value", None)
            if isinstance(name, str):
                found.attributes.setdefault(name, []).append(call.args[1])

    def _index_bindings(self) -> None:
        assignments: Iterator[Assignment] = self.of(ast.Assign, ast.AnnAssign, ast.NamedExpr)
        for node in assignments:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if node.value is not None:
                    self._bind(target, node.value, node)
        loops: Iterator[ast.For | ast.AsyncFor | ast.comprehension]
        loops = self.of(ast.For, ast.AsyncFor, ast.comprehension)
        for loop in loops:
            self._bind(loop.target, loop.iter, loop.target, "each")
        for item in self.of(ast.withitem):
            if item.optional_vars is not None:
                self._bind(item.optional_vars, item.context_expr, item.optional_vars, "enter")

    def _bind(
        self, target: ast.expr, value: ast.expr, node: ast.AST, part: str = "whole", at: int = 0
    ) -> None:
        if isinstance(target, ast.Name):
            self._bindings[self.scope(node), target.id].append(Binding(node, value, part, at))
        elif isinstance(target, ast.Starred):
            self._bind(target.value, value, node, "item", at)
        elif isinstance(target, ast.Tuple | ast.List):
            same = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
            for index, inner in enumerate(target.elts):
                if same and part == "whole" and not isinstance(value.elts[index], ast.Starred):  # type: ignore[attr-defined]
                    self._bind(inner, value.elts[index], node)  # type: ignore[attr-defined]
                else:
                    self._bind(inner, value, node, "each" if part == "each" else "item", index)

    def once(self, what: str, node: ast.AST, unknown: T, compute: Callable[[], T]) -> T:
        """A question about a node, answered once; `unknown` while the answer depends on itself."""
        key = what, node
        if key not in self.known:
            self.known[key] = unknown
            self.known[key] = compute()
        found: T = self.known[key]
        return found

    # where a node stands

    def scope(self, node: ast.AST) -> Scope:
        """The innermost function, lambda, class or module around the node (not the node itself)."""
        above = self.parent.get(node)
        while above is not None and not isinstance(above, Scope):
            above = self.parent.get(above)
        return above if above is not None else self.tree

    def function(self, node: ast.AST) -> Function | None:
        """The innermost def around the node."""
        return next((each for each in self.above(node) if isinstance(each, Function)), None)

    def class_of(self, node: ast.AST) -> Class | None:
        """The innermost class around the node."""
        found = next((each for each in self.above(node) if isinstance(each, ast.ClassDef)), None)
        return self.classes.get(found.name) if found else None

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around this one, the innermost first."""
        at = self.parent.get(node)
        while at is not None:
            self._count(1)
            yield at
            at = self.parent.get(at)

    def loops(self, node: ast.AST) -> list[ast.For | ast.AsyncFor | ast.While]:
        """The loops of the same function around the node, the innermost first."""
        found: list[ast.For | ast.AsyncFor | ast.While] = []
        for each in self.above(node):
            if isinstance(each, Function | ast.Lambda | ast.ClassDef):
                break
            if isinstance(each, ast.For | ast.AsyncFor | ast.While):
                found.append(each)
        return found

    def statement(self, node: ast.AST) -> ast.stmt:
        """The statement that the node belongs to."""
        at: ast.AST = node
        while not isinstance(at, ast.stmt):
            at = self.parent[at]
        return at

    # names

    def name(self, node: ast.AST | None) -> str:
        """The dotted name after imports (`F.softmax` -> torch.nn.functional.softmax); "" for what has none.

        A name that is bound in the file keeps its own spelling; one of Python's own begins with `builtins.`.
        """
        if node is None:
            return ""
        found = self._names.get(node)
        if found is None:
            found = self._names[node] = self._name(node)
        return found

    def _name(self, node: ast.AST) -> str:
        if isinstance(node, ast.Attribute):
            above = self.name(node.value)
            return _canonical(f"{above}.{node.attr}") if above else ""
        if not isinstance(node, ast.Name):
            return ""
        if node.id in self.imports:
            return _canonical(self.imports[node.id])
        known = CONVENTIONS.get(node.id) or (f"builtins.{node.id}" if hasattr(builtins, node.id) else "")
        return known if known and not self.binds(node) else node.id

    def binds_globally(self, node: ast.Name) -> bool:
        """Whether the file imports or defines what a name is."""
        return node.id in self.imports or node.id in self.functions or node.id in self.classes

    def binds(self, node: ast.Name) -> bool:
        """Whether the file says what a name is."""
        if self.binds_globally(node):
            return True
        scope: ast.AST | None = self.scope(node)
        while scope is not None:
            if (scope, node.id) in self._bindings:
                return True
            scope = self.scope(scope) if scope is not self.tree else None
        return False

    def calls(self, *names: str) -> list[ast.Call]:
        """Every call of these dotted names, in source order."""
        if self._named is None:
            self._named = defaultdict(list)
            for node in self.of(ast.Call):
                self._named[self.name(node.func)].append(node)
        found = [call for name in names for call in self._named.get(name, ())]
        self._count(len(found))
        return sorted(found, key=position)

    def methods(self, *names: str) -> list[ast.Call]:
        """Every call `x.NAME(...)`, in source order."""
        return [call for call in self.called_as(*names) if isinstance(call.func, ast.Attribute)]

    def called_as(self, *names: str) -> list[ast.Call]:
        """Every call whose last name is one of these, `NAME(...)` or `x.NAME(...)`, in source order."""
        found = [call for name in names for call in self._calls_of.get(name, ())]
        self._count(len(found))
        return sorted(found, key=position)

    def calls_of(self, function: Function) -> list[ast.Call]:
        """The calls in this file that look like calls of this function or method; a class's for __init__."""
        if function.name == "__init__":
            owner = self.class_of(function)
            return self._calls_of.get(owner.node.name, []) if owner else []
        found = self._calls_of.get(function.name, [])
        if self._is_method(function):
            return [call for call in found if not self._is_of_import(call.func)]  # no `torch.save(...)`
        # `model.train()` is no call of a function `train` of this file
        return [call for call in found if not isinstance(call.func, ast.Attribute)]

    def _is_of_import(self, func: ast.expr) -> bool:
        while isinstance(func, ast.Attribute):
            func = func.value
        return isinstance(func, ast.Name) and func.id in self.imports

    def called(self, call: ast.Call) -> tuple[Module, Function] | None:
        """The function of the project that a call runs, with its module; None where the text does not say."""
        func = call.func
        if isinstance(func, ast.Name) and func.id in self.functions and func.id not in self.imports:
            return self, self.functions[func.id]
        if isinstance(func, ast.Name) and func.id == "self":
            around = self.class_of(call)
            forward = around.methods.get("forward") if around else None
            return (self, forward) if forward is not None else None
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "self":
            owner = self.class_of(call)
            if owner and func.attr in owner.methods:
                return self, owner.methods[func.attr]
        elif isinstance(func, ast.Attribute) and func.attr in self._method_names:
            owners = [self._made_of(value) for value in self.values(func.value)]
            if len(owners) == 1 and owners[0] is not None and func.attr in owners[0].methods:
                return self, owners[0].methods[func.attr]
        dotted = self.name(func)
        found = self.elsewhere(dotted) if "." in dotted and not dotted.startswith("builtins.") else None
        return (found[0], found[1]) if found and isinstance(found[1], Function) else None

    def _made_of(self, value: ast.expr) -> Class | None:
        """The class of this file whose constructor a value calls."""
        made = isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
        return self.classes.get(value.func.id) if made else None  # type: ignore[attr-defined]

    def class_named(self, dotted: str) -> tuple[Module, Class] | None:
        """The class of the project with this name, with its module."""
        if dotted in self.classes:
            return self, self.classes[dotted]
        found = self.elsewhere(dotted) if "." in dotted else None
        if found and isinstance(found[1], ast.ClassDef):
            return found[0], found[0].classes[found[1].name]
        return None

    def is_subclass(self, found: Class, *roots: str) -> bool:
        """Whether a class descends from one of these dotted names, as far as the project shows it."""
        seen: set[str] = set()
        queue = [(self, base) for base in found.bases]
        while queue:
            module, base = queue.pop()
            if base in roots:
                return True
            above = module.class_named(base) if base not in seen else None
            seen.add(base)
            if above:
                queue += [(above[0], each) for each in above[1].bases]
        return False

    # values

    def bindings(self, name: ast.Name) -> list[Binding]:
        """The bindings that reach this use, the nearest first; none of a name that only a machine writes so
        often.
        """
        scope: ast.AST | None = self.scope(name)
        own = scope
        while scope is not None:
            found = self._bindings.get((scope, name.id))
            if found and len(found) > MAX_BINDINGS:
                return []
            if found:
                return self._reaching(found, name) if scope is own else found[::-1]
            scope = self.scope(scope) if scope is not self.tree else None
        return []

    def _reaching(self, found: list[Binding], use: ast.Name) -> list[Binding]:
        at = position(use)
        if any(each.part == "each" for each in found):  # a comprehension's variable stands behind its use
            around = {id(node) for node in self.above(use)}
            for each in found:
                above = self.parent[each.node]
                inside = isinstance(above, ast.comprehension) and id(self.parent.get(above)) in around
                if each.part == "each" and inside:
                    return [each]
        before = [each for each in found if end(each.node) <= at and not self._left_before(each.node, use)]
        reaching: list[Binding] = []
        for each in reversed(before):
            reaching.append(each)
            if each.part == "param" or self.dominates(each.node, use):
                break
        return reaching or found

    def _left_before(self, first: ast.AST, later: ast.AST) -> bool:
        """Whether the first node's branch leaves the function, or is another one than the later node's."""
        child: ast.AST = first if isinstance(first, ast.arg) else self.statement(first)
        above = self.parent.get(child)
        while isinstance(above, ast.If) and not any(above is each for each in self.above(later)):
            block = above.body if child in above.body else above.orelse
            if isinstance(block[-1], ast.Return | ast.Raise):
                return True
            child, above = above, self.parent.get(above)
        if not isinstance(above, ast.If) or child is above.test or self.loops(above):
            return False
        other = above.orelse if child in above.body else above.body
        inside = {id(each) for each in (later, *self.above(later))}
        return any(id(statement) in inside for statement in other)

    def dominates(self, first: ast.AST, later: ast.AST) -> bool:
        """Whether the earlier of two nodes of one function has run whenever the later one does (nearly)."""
        if isinstance(first, ast.arg):
            return True
        statement = self.statement(first)
        block, child = self.parent.get(statement), later
        for above in self.above(later):
            if above is block:  # of an `if` both branches hang on one node
                return not isinstance(above, ast.If) or (statement in above.body) == (child in above.body)
            child = above
        return block is None

    def values(self, node: ast.expr | None, steps: int = MAX_STEPS) -> list[ast.expr]:
        """What an expression may stand for: names, attributes of self and both sides of `a if b else c` are
        followed; what cannot be followed stands for itself.
        """
        if node is None:
            return []
        if steps <= 0:
            return [node]
        # once for each node: callers that call one another would multiply
        return self.once("values", node, [node], lambda: self._followed(node, steps))

    def results(self, node: ast.expr | None, steps: int = MAX_STEPS) -> list[ast.expr]:
        """As `values`, through what the functions of this file return."""
        found: list[ast.expr] = []
        for each in self.values(node):
            called = self.called(each) if isinstance(each, ast.Call) and steps > 0 else None
            inner = returned(called[1]) if called is not None and called[0] is self else []
            found += [value for result in inner for value in self.results(result, steps - 2)] or [each]
        return found[:MAX_VALUES]

    def _followed(self, node: ast.expr, steps: int) -> list[ast.expr]:
        if isinstance(node, ast.NamedExpr):
            return self.values(node.value, steps - 1)
        if isinstance(node, ast.IfExp):
            return [*self.values(node.body, steps - 1), *self.values(node.orelse, steps - 1)][:MAX_VALUES]
        if isinstance(node, ast.Name) and node.id not in self.imports:
            found = [
                value for each in self.bindings(node) for value in self._values_of(each, node, steps - 1)
            ]
            return found[:MAX_VALUES] or [node]
        if isinstance(node, ast.Attribute) and is_self(node):
            assigned = self.attribute(node)
            if not assigned:
                owner = self.class_of(node)
                item = owner.items.get(node.attr) if owner else None
                assigned = self._items(item) if item else []
            found = [value for each in assigned for value in self.values(each, steps - 1)]
            return found[:MAX_VALUES] or [node]
        return [node]

    def _values_of(self, binding: Binding, use: ast.expr, steps: int) -> list[ast.expr]:
        if binding.part == "whole":
            return self.values(binding.value, steps)
        if binding.part == "param":
            given = self._arguments(binding)
            return [value for each in given for value in self.values(each, steps)] or [use]
        if binding.part == "item":
            return [value for each in self._items(binding) for value in self.values(each, steps)] or [use]
        return [use]

    def _items(self, binding: Binding) -> list[ast.expr]:
        """What a function of this file returns at one place of a tuple: `model, loss = build()`."""
        called = self.called(binding.value) if isinstance(binding.value, ast.Call) else None
        if called is None or called[0] is not self:
            return []
        found: list[ast.expr] = []
        for node in own_nodes(called[1]):
            if not isinstance(node, ast.Return):
                continue
            if not isinstance(node.value, ast.Tuple) or len(node.value.elts) <= binding.index:
                return []
            if any(isinstance(each, ast.Starred) for each in node.value.elts):
                return []
            found.append(node.value.elts[binding.index])
        return found

    def attribute(self, node: ast.Attribute) -> list[ast.expr]:
        """The values that the class around `self.x` and its bases in this file assign to x."""
        owner, seen = self.class_of(node), set[str]()
        while owner is not None and owner.node.name not in seen:
            seen.add(owner.node.name)
            if node.attr in owner.attributes:
                return owner.attributes[node.attr]
            owner = next((self.classes[base] for base in owner.bases if base in self.classes), None)
        return []

    def assigned(self, target: ast.expr, within: ast.AST | None = None) -> list[ast.expr]:
        """All that the file, or a node of it, assigns to a name, or to an attribute of any object, that has
        the last name of `target`.
        """
        found = self._assigned.get((type(target), last_name(target)), ())
        return [value for node, value in found if within is None or within in self.above(node)]

    @cached_property
    def _assigned(self) -> dict[tuple[type[ast.expr], str], list[tuple[ast.AST, ast.expr]]]:
        found: dict[tuple[type[ast.expr], str], list[tuple[ast.AST, ast.expr]]] = defaultdict(list)
        assignments: Iterator[Assignment] = self.of(ast.Assign, ast.AnnAssign)
        for node in assignments:
            for target, value in _pairs(node):
                found[type(target), last_name(target)].append((node, value))
        return found

    def _arguments(self, binding: Binding) -> list[ast.expr]:
        """What the callers in this file give for a parameter; [] where one gives something unseen."""
        function = self.parent[self.parent[binding.node]]
        if not isinstance(function, Function) or not isinstance(binding.node, ast.arg):
            return []
        given: list[ast.expr] = []
        for call in self.calls_of(function):
            value = self.given(function, call, binding.node.arg)
            if value is None:
                return []
            given.append(value)
        return given[:MAX_VALUES]

    def given(self, function: Function, call: ast.Call, name: str) -> ast.expr | None:
        """What a call gives for a parameter of a function of this file."""
        return argument_of(function, call, name, self._is_method(function))

    def _is_method(self, function: Function) -> bool:
        return isinstance(self.parent.get(function), ast.ClassDef)


def _pairs(node: Assignment) -> Iterator[tuple[ast.expr, ast.expr]]:
    """(target, value) of what an assignment sets, with those of `a, b = 1, 2` one by one; nothing of one
    without a value (`x: int`).
    """
    todo = [(each, node.value) for each in (node.targets if isinstance(node, ast.Assign) else [node.target])]
    while todo:
        target, value = todo.pop(0)
        if value is not None:
            yield target, value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            todo += zip(target.elts, value.elts, strict=False)


def _canonical(name: str) -> str:
    if not name.startswith("torch."):
        return name
    for long, short in CANONICAL.items():
        if name.startswith(long + "."):
            return short + "." + name[len(long) + 1 :].rsplit(".", 1)[-1]
    return name
