"""Texts that a user's file may be meant to hold, where no entry's edit follows: small changes at the lines
that had to do with the failing one, for somebody who runs the program with each.

What has to do with a line is found by names alone: the lines that bind what it reads, and so on. A guess does
not take out what a program does (a statement, a call for its effect).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from .nodes import argument, constant, end, inside, last_name, position, words
from .roles import loaded, stored

CARRYING = 4  # so many lines that are nearest
MAX_DISTANCE = 3  # lines that bind what binds what binds what the failing line reads
NUMBER = re.compile(r"(?<![\w.-])\d{1,9}(?![\w.])")
WORD = re.compile(r"[A-Za-z_]{3,}")
GRAPH = re.compile(r"(?i)grad|graph|parameter")
CHANGED = re.compile(r"(?i)inplace|second time")
RANGE = re.compile(r"(?i)out of (?:range|bounds)|\bindex\b|\btarget \d")
SIZES = re.compile(r"(?i)\bsizes?\b|shape|dimension|batch|\blength")
CONVERSIONS = words("item tolist numpy detach clone tensor as_tensor from_numpy")
TENSORS = words("tensor as_tensor FloatTensor Tensor")
LIBRARIES = words("torch nn F np numpy self cls optim")
LIMITS = words("max limit capacity")
CALLED = words("forward __call__ __getitem__ __len__")
FILLING = words("append extend add")


class Guess(NamedTuple):
    """A part of the file and what may be meant there; `more`: what changes together with it."""

    node: ast.AST
    new: str
    more: tuple[Guess, ...] = ()


def guesses(text: str, lines: Sequence[int], message: str, advice: str) -> Iterator[Iterator[str]]:
    """The texts of one kind of guess after the other, the likely kinds first, each text once.

    `lines`: those of the traceback, in this file; `advice`: what the entry says to do.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    near = [part for _, part in sorted(_near(tree, lines), key=lambda each: each[0])]
    seen = {text}

    def texts(made: Maker) -> Iterator[str]:
        for guess in made(text, tree, near, message):
            new = _put(text, guess)
            if new not in seen and _parses(new):
                seen.add(new)
                yield new

    for made in _kinds(message, advice):
        yield texts(made)


Maker = Callable[[str, ast.Module, list[ast.AST], str], Iterator[Guess]]


def _kinds(message: str, advice: str) -> Iterator[Maker]:
    """The kinds of guesses that a message speaks for."""
    yield _other_switch
    if SIZES.search(message):
        yield _one_axis
    if "drop_last" in advice:
        yield _full_batches
    yield _larger_limit
    if RANGE.search(message):
        yield _of_all
    if NUMBER.search(message):
        yield _rounded_up
    if CHANGED.search(message):
        yield _made_again
    if GRAPH.search(message):
        yield _stacked
        yield _kept_in_graph


def _other_switch(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """`sparse=True` as False, where the message has the word."""
    said = {each.lower() for each in WORD.findall(message)}
    for name, value in _settings(tree):
        if type(constant(value)) is bool and said.intersection(name.lower().split("_")):
            yield Guess(value, str(not constant(value)))


def _larger_limit(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """A limit that the message names, by what is set (`max_len=20`), as what goes beyond it."""
    numbers = dict.fromkeys(map(int, NUMBER.findall(message)))
    for name, value in _settings(tree):
        limit = constant(value)
        if type(limit) is int and limit in numbers and not LIMITS.isdisjoint(name.lower().split("_")):
            yield from (Guess(value, str(each)) for each in numbers if each > limit)


def _one_axis(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """`squeeze()` of the last axis alone: of a batch of one it takes the batch too."""
    for node in _values(near):
        if isinstance(node, ast.Call) and last_name(node.func) == "squeeze" and not node.args:
            yield Guess(node, f"{ast.get_source_segment(text, node.func)}(-1)")


def _full_batches(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """A last batch that is shorter is left out, where a line carries on what it gave for the one before."""
    carried = any(stored(each) & loaded(each) for each in near[:CARRYING] if isinstance(each, ast.Assign))
    for call in inside(tree, ast.Call) if carried else ():
        if last_name(call.func) == "DataLoader" and argument(call, -1, "drop_last") is None:
            inner = (ast.get_source_segment(text, call) or "()")[:-1].rstrip().removesuffix(",")
            yield Guess(call, f"{inner}, drop_last=True)")


def _of_all(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """Ids from 0 to the largest are one more than it; `y` for `y[train]`, of which some are left out."""
    for node in _values(near):
        written = ast.get_source_segment(text, node)
        if isinstance(node, ast.Call) and last_name(node.func) in ("max", "len"):
            yield Guess(node, f"({written} + 1)")
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
            yield Guess(node, ast.get_source_segment(text, node.value) or "")


def _rounded_up(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """A part of a group counts as one."""
    for node in _values(near):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            left, right = (ast.get_source_segment(text, each) for each in (node.left, node.right))
            yield Guess(node, f"-(-{left} // {right})")


def _made_again(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """What was made before a step of the optimizer, made again where it is read."""
    made: dict[str, list[ast.expr]] = {}
    for each in inside(tree, ast.Assign):
        if len(each.targets) == 1 and isinstance(each.targets[0], ast.Name):
            made.setdefault(each.targets[0].id, []).append(each.value)
    called = {each.func for each in inside(tree, ast.Call)}
    for node in _values(near):
        values = made.get(node.id, []) if isinstance(node, ast.Name) and node not in called else []
        call = values[0] if len(values) == 1 else None
        if not isinstance(call, ast.Call) or not call.args or not _makes_no_object(call.func):
            continue
        if all(isinstance(each, ast.Name) for each in call.args):
            yield Guess(node, ast.unparse(call))


def _makes_no_object(called: ast.expr) -> bool:
    """By its name: a class has a large first letter, unless it is a part of the object."""
    return ast.unparse(called).startswith("self.") or last_name(called)[:1].islower()


def _stacked(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """A tensor of numbers, for each of which a tensor was cut off its graph, as these tensors stacked."""
    filled: dict[str, list[ast.expr]] = {}
    for call in inside(tree, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "append" and len(call.args) == 1:
            filled.setdefault(last_name(call.func.value), []).append(call.args[0])
    for node in _values(near):
        if not isinstance(node, ast.Call) or last_name(node.func) not in TENSORS or not node.args:
            continue
        cut = [(each, _inner(each)) for each in filled.get(last_name(node.args[0]), [])]
        parts = [Guess(each, ast.unparse(inner)) for each, inner in cut if inner is not None]
        if parts and len(parts) == len(cut):
            yield Guess(node, f"torch.stack({ast.unparse(node.args[0])})", tuple(parts))


def _kept_in_graph(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """A value without what cut it off: `t` for `torch.tensor(t.tolist())`."""
    for node in _values(near):
        inner = _inner(node)
        while inner is not None:
            yield Guess(node, ast.get_source_segment(text, inner) or "")
            inner = _inner(inner)


def _inner(node: ast.AST) -> ast.expr | None:
    """What a conversion is of, which leaves the numbers as they are."""
    if isinstance(node, ast.Attribute) and node.attr == "data":
        return node.value
    if not isinstance(node, ast.Call) or last_name(node.func) not in CONVERSIONS:
        return None
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if owner is not None and not (isinstance(owner, ast.Name) and owner.id in LIBRARIES):
        return owner
    return node.args[0] if node.args and not isinstance(node.args[0], ast.Starred) else None


def _settings(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """What is set by a name: keywords, items of dictionaries, defaults, attributes of a class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg:
            yield node.arg, node.value
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            yield from ((str(constant(key)), value) for key, value in pairs if key is not None)
        elif isinstance(node, ast.arguments):
            named = [*node.posonlyargs, *node.args]
            first = len(named) - len(node.defaults)
            yield from ((each.arg, value) for each, value in zip(named[first:], node.defaults, strict=True))
            yield from (
                (each.arg, value)
                for each, value in zip(node.kwonlyargs, node.kw_defaults, strict=True)
                if value is not None
            )
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((last_name(each), node.value) for each in targets)


def _values(near: list[ast.AST]) -> Iterator[ast.expr]:
    """The expressions that are read in these lines; none that a line does for its effect."""
    for part in near:
        done = part.value if isinstance(part, ast.Expr) else None
        for node in inside(part, ast.expr):
            stored = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
            if node is not done and not stored and getattr(node, "id", "") not in LIBRARIES:
                yield node


def _near(tree: ast.Module, lines: Sequence[int]) -> Iterator[tuple[int, ast.AST]]:
    """The lines that had to do with these, and how far away they are."""
    left = [*_parts(tree)]
    names: set[str] = set()
    seen = set(LIBRARIES)
    for distance in range(MAX_DISTANCE + 1):
        found = [
            (part, bound)
            for part, bound in left
            if names & bound
            or (not distance and any(part.lineno <= line <= (part.end_lineno or 0) for line in lines))
        ]
        yield from ((distance, part) for part, _ in found)
        left = [each for each in left if each not in found]
        seen |= names
        names = {name for part, _ in found for name in _named(part)} - seen


def _parts(tree: ast.Module) -> Iterator[tuple[ast.stmt | ast.expr, set[str]]]:
    """The statements without a body, and what heads those that have one, with the names that each gives a
    value: of a `return` that of its function, and of the class whose objects are called.
    """
    owners = {each: owner.name for owner in inside(tree, ast.ClassDef) for each in owner.body}
    functions = {each: function for function in inside(tree, ast.FunctionDef) for each in ast.walk(function)}
    for node in inside(tree, ast.stmt):
        if isinstance(node, ast.For):
            yield node.iter, _named(node.target)
        elif isinstance(node, ast.While | ast.If):
            yield node.test, set()
        elif isinstance(node, ast.With):
            yield from (
                (each.context_expr, _named(each.optional_vars) if each.optional_vars is not None else set())
                for each in node.items
            )
        elif not hasattr(node, "body"):
            bound, function = _bound(node), functions.get(node)
            gives = isinstance(node, ast.Return) or any(inside(node, ast.Yield))
            if gives and function is not None:
                bound |= {function.name, owners.get(function, "") if function.name in CALLED else ""} - {""}
            yield node, bound


def _named(tree: ast.AST) -> set[str]:
    found = {node.id for node in inside(tree, ast.Name)}
    found |= {node.attr for node in inside(tree, ast.Attribute)}
    found |= {node.arg for node in inside(tree, ast.keyword) if node.arg}
    return found | {str(node.value) for node in inside(tree, ast.Constant) if isinstance(node.value, str)}


def _bound(node: ast.stmt) -> set[str]:
    """The names that a statement gives a value, fills, or sets."""
    targets: list[ast.AST] = [*node.targets] if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = [node.target]
    for call in inside(node, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in FILLING:
            targets.append(call.func.value)
    found = {name for target in targets for name in _named(target)}
    found |= {each.arg for each in inside(node, ast.keyword) if each.arg}
    keys = (key for each in inside(node, ast.Dict) for key in each.keys)
    return found | {str(constant(key)) for key in keys if key is not None}


def _put(text: str, guess: Guess) -> str:
    whole = text.encode()
    starts = [0]
    for line in whole.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    parts: list[tuple[int, int, str]] = []
    for each in (guess, *guess.more):
        (row, column), (last, behind) = position(each.node), end(each.node)
        parts.append((starts[row - 1] + column, starts[last - 1] + behind, each.new))
    for start, stop, new in sorted(parts, reverse=True):
        whole = whole[:start] + new.encode() + whole[stop:]
    return whole.decode()


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
