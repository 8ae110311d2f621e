"""How many different numbers a program gives: the length of what its ids or labels are counted by."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .edit import NAMED
from .known_line import given_at
from .module import Module
from .nodes import Function, constant, inside, last_name, parameters, returned
from .origins import origins

JOINED = ("stack", "cat", "pad_sequence", "tensor", "as_tensor", "LongTensor")
MAX_STEPS = 8


def only_count(source: Module, node: ast.expr) -> str:
    """The one text that says how many numbers there are, by all the ways that they came to be; "" of none."""
    found = {*counts(source, node)}
    return found.pop() if len(found) == 1 else ""


def where_given(
    source: Module, size: ast.expr | None, written: str, steps: int = MAX_STEPS
) -> ast.expr | None:
    """The expression, through parameters, that settles a size where the names of `written` are known; None
    where another call may give another one.
    """
    if size is None or steps <= 0:
        return None
    bound = source.bindings(size) if isinstance(size, ast.Name) else []
    function = source.function(bound[0].node) if len(bound) == 1 and bound[0].part == "param" else None
    if function is None:
        return size if _is_known(source, size, written) else None
    given = dict(given_once(source, function)).get(ast.unparse(size))
    return where_given(source, given, written, steps - 1)


def handed(source: Module, node: ast.expr, steps: int = MAX_STEPS) -> tuple[str, ast.AST | None]:
    """What an expression is called where it comes from, through parameters of functions that one line calls:
    the same for two that stand for the same.
    """
    bound = source.bindings(node) if isinstance(node, ast.Name) else []
    function = source.function(bound[0].node) if len(bound) == 1 and bound[0].part == "param" else None
    given = dict(given_once(source, function)).get(ast.unparse(node)) if steps > 0 else None
    if given is not None:
        return handed(source, given, steps - 1)
    return ast.unparse(node), bound[0].node if len(bound) == 1 else None


def given_once(source: Module, function: Function | None) -> Iterator[tuple[str, ast.expr]]:
    """The parameters of a function that one line calls, each with what that gives for it."""
    calls = source.calls_of(function) if function is not None else []
    if function is None or len(calls) != 1:
        return
    for name in parameters(function):
        given = source.given(function, calls[0], name)
        if given is not None:
            yield name, given


def _is_known(source: Module, at: ast.expr, written: str) -> bool:
    """Whether all names of a text mean the same at a place of the file: the file's own, or its function's."""
    names = {each.id for each in inside(ast.parse(written), ast.Name)} - {"len"}
    around = source.function(at)
    own = {each.id for each in inside(around, ast.Name) if isinstance(each.ctx, ast.Store)}
    whole = {each.id for each in inside(source.tree, ast.Name) if source.scope(each) is source.tree}
    return "self" not in names and all(name in own or (name in whole and name not in own) for name in names)


def counts(source: Module, node: ast.expr, owner: str = "", steps: int = MAX_STEPS) -> Iterator[str]:
    """How many ids there are, for each way that ids came to be; "" of one that does not tell. `owner`: what
    `self` is called outside of the method.
    """
    if isinstance(node, ast.Subscript) and (numbered := _numbered(source, node.value, owner)):
        yield numbered
        return
    own = isinstance(node, ast.Call) and source.called(node) is not None
    made = [node] if own and steps > 0 else origins(source, node) if steps > 0 else []
    if not made:
        yield ""
    for each in made:
        if isinstance(each, ast.Call):
            yield from _of_call(source, each, owner, steps - 1)
        elif isinstance(each, ast.ListComp):
            yield from counts(source, each.elt, owner, steps - 1) if each.elt is not node else [""]
        elif isinstance(each, ast.List | ast.Tuple) and each.elts:
            for inner in each.elts:
                yield from counts(source, inner, owner, steps - 1)
        elif isinstance(each, ast.Subscript) and all(isinstance(one, ast.Slice) for one in _taken(each)):
            yield from counts(source, each.value, owner, steps - 1)  # some of them, counted as all are
        else:
            yield ""


def _taken(part: ast.Subscript) -> list[ast.expr]:
    return part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]


def _of_call(source: Module, call: ast.Call, owner: str, steps: int) -> Iterator[str]:
    name, func = last_name(call.func), call.func
    if source.name(func) == "torch.randint":
        numbers = [each for each in call.args if not isinstance(each, ast.Tuple | ast.List)]
        yield ast.unparse(numbers[-1]) if numbers and len(numbers) < len(call.args) else ""
    elif name in JOINED and call.args:
        yield from counts(source, call.args[0], owner, steps)
    elif name in ("get", "index") and isinstance(func, ast.Attribute):
        yield _numbered(source, func.value, owner)
    else:
        called = source.called(call)
        outside = func.value if isinstance(func, ast.Attribute) else None
        results = returned(called[1]) if called is not None and called[0] is source else []
        lists = [*dict.fromkeys(inner for each in results for inner in _listed(source, each))]
        if len(lists) != 1 or (outside is not None and not isinstance(outside, ast.Name)):
            yield ""
            return
        yield from counts(source, lists[0].elt, ast.unparse(outside) if outside is not None else "", steps)


def _listed(source: Module, node: ast.expr) -> Iterator[ast.ListComp]:
    for value in (each for name in inside(node, ast.Name) for each in source.values(name)):
        yield from inside(value, ast.ListComp)
    yield from inside(node, ast.ListComp)


def _numbered(source: Module, table: ast.expr, owner: str) -> str:
    """The length of what gives each id, of a dictionary where its ids run from 0 or 1 without a gap."""
    if not isinstance(table, NAMED):
        return ""
    made = source.values(table)
    written = ast.unparse(table)
    if written.startswith("self."):
        written = f"{owner}.{written[5:]}" if owner and owner != "self" else ""
    if len(made) != 1 or not written:
        return ""
    if isinstance(made[0], ast.DictComp):
        first = _first_number(made[0])
        return "" if first is None else f"len({written})" if first == 0 else f"len({written}) + {first}"
    if isinstance(made[0], ast.Dict):
        numbers = [constant(each) for each in made[0].values]
        grows = all(ast.unparse(each) == f"len({ast.unparse(table)})" for each in _added(source, table))
        return f"len({written})" if numbers == [*range(len(numbers))] and grows else ""
    return f"len({written})" if isinstance(made[0], ast.Constant | ast.List) or _is_list(made[0]) else ""


def _is_list(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) in ("sorted", "list")


def _added(source: Module, table: ast.expr) -> list[ast.expr]:
    """What is written into a dictionary item by item."""
    targets = ((target, each.value) for each in source.of(ast.Assign) for target in each.targets)
    return [
        value
        for target, value in targets
        if isinstance(target, ast.Subscript) and ast.unparse(target.value) == ast.unparse(table)
    ]


def _first_number(made: ast.DictComp) -> int | None:
    """The first of the numbers that `{word: i + 1 for i, word in enumerate(words)}` gives."""
    over = made.generators[0].iter
    if len(made.generators) != 1 or not isinstance(over, ast.Call) or last_name(over.func) != "enumerate":
        return None
    target = made.generators[0].target
    counter = ast.unparse(target.elts[0]) if isinstance(target, ast.Tuple) else ""
    begun = given_at(over, "1|start")
    start = 0 if begun is None else constant(begun)
    value = made.value
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and type(start) is int:
        more = constant(value.right)
        value, start = value.left, start + more if type(more) is int else None
    return start if ast.unparse(value) == counter and type(start) is int else None
