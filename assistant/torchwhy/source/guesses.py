"""Texts that a user's file may be meant to hold, where no entry's edit follows: small changes at the lines that
had to do with the failing one, for somebody who runs the program with each.

What has to do with a line is found by names alone: the lines that bind what it reads, and so on. A guess does
not take out what a program does (a statement, a call for its effect), and changes one place.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from .nodes import argument, constant, inside, last_name, words

MAX_DISTANCE = 3  # lines that bind what binds what binds what the failing line reads
NUMBER = re.compile(r"(?<![\w.-])\d{1,9}(?![\w.])")
WORD = re.compile(r"[A-Za-z_]{3,}")
CHANGED = re.compile(r"(?i)inplace|second time")
RANGE = re.compile(r"(?i)out of (?:range|bounds)|\bindex\b|\btarget \d")
SIZES = re.compile(r"(?i)\bsizes?\b|shape|dimension|batch|\blength")
WRAPPERS = words(
    "item tolist numpy detach clone t contiguous squeeze unsqueeze flatten transpose permute "
    "tensor as_tensor from_numpy Tensor sigmoid softmax log_softmax int float long"
)
LIBRARIES = words("torch nn F np numpy self cls optim")
KEPT = words("batch bs seed epochs epoch steps lr")  # settings that no size follows from
FILLING = words("append extend add")
HEADS = {ast.For: "iter", ast.While: "test", ast.If: "test"}


class Guess(NamedTuple):
    """A part of the file and what may be meant there."""

    node: ast.AST
    new: str


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
    yield _as_elsewhere
    if SIZES.search(message):
        yield _one_axis
    if "drop_last" in advice:
        yield _full_batches
    if "checkpoint" not in message:  # which of both is meant no run tells
        yield _other_number
    if RANGE.search(message):
        yield _one_more
    if NUMBER.search(message):
        yield _rounded_up
    if CHANGED.search(message):
        yield _made_again
    yield _unwrapped


def _other_switch(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """`sparse=True` as False, where the message has the word."""
    said = {each.lower() for each in WORD.findall(message)}
    for name, value in _settings(tree):
        if type(constant(value)) is bool and said.intersection(name.lower().split("_")):
            yield Guess(value, str(not constant(value)))


def _as_elsewhere(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """A call as another one of the same name is written: `model(x)` as `model(x.float()).squeeze(1)`."""
    around = {inner: each for each in inside(tree, ast.Attribute, ast.Call) for inner in ast.iter_child_nodes(each)}
    calls = [*inside(tree, ast.Call)]
    for call in _values(near):
        if not isinstance(call, ast.Call):
            continue
        own = ast.get_source_segment(text, call) or ""
        for other in calls:
            if other is call or last_name(other.func) != last_name(call.func):
                continue
            for mine, theirs in zip(call.args, other.args, strict=False):
                written = ast.get_source_segment(text, mine) or ""
                if (chain := _chain(theirs)) and _chain(mine) != chain:
                    yield Guess(mine, written + chain)
            if isinstance(call.func, ast.Attribute) and isinstance(other.func, ast.Attribute):
                if (chain := _chain(other.func.value)) and not _chain(call.func.value):
                    yield Guess(call.func.value, (ast.get_source_segment(text, call.func.value) or "") + chain)
            if (chain := _chain_behind(other, around)) and not _chain_behind(call, around):
                yield Guess(call, own + chain)
            names = {each.arg for each in call.keywords}
            more = [ast.unparse(each) for each in other.keywords if each.arg and each.arg not in names]
            if more and own.endswith(")"):
                comma = ", " if call.args or call.keywords else ""
                yield Guess(call, f"{own[:-1]}{comma}{', '.join(more)})")


def _chain(node: ast.expr) -> str:
    """What is done to a name, by methods and attributes: `.float()`; "" for anything else."""
    inner = node
    while isinstance(inner, ast.Attribute | ast.Call | ast.Subscript):
        inner = inner.func if isinstance(inner, ast.Call) else inner.value
    written = ast.unparse(node)
    begin = written.find("[" if isinstance(node, ast.Subscript) else ".")
    return written[begin:] if isinstance(inner, ast.Name) and inner.id not in LIBRARIES and begin > 0 else ""


def _chain_behind(call: ast.Call, around: dict[ast.AST, ast.Attribute | ast.Call]) -> str:
    """The methods that are called on what a call gives."""
    outer: ast.AST = call
    while (above := around.get(outer)) is not None and outer in (
        getattr(above, "value", None), getattr(above, "func", None)
    ):
        outer = above
    return ast.unparse(outer).removeprefix(ast.unparse(call))


def _other_number(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """A number of the message, where it is written in the file, as another one of them."""
    numbers = dict.fromkeys(each for each in map(int, NUMBER.findall(message)) if each > 1)
    settings = {value for name, value in _settings(tree) if KEPT.isdisjoint(name.lower().split("_"))}
    settings |= {each for call in inside(tree, ast.Call) for each in call.args}
    for node in inside(tree, ast.Constant):
        if node in settings and type(node.value) is int and node.value in numbers:
            yield from (Guess(node, str(each)) for each in numbers if each != node.value)


def _one_axis(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """`squeeze()` of the last axis alone: of a batch of one it takes the batch too."""
    for node in _values(near):
        if isinstance(node, ast.Call) and last_name(node.func) == "squeeze" and not node.args:
            yield Guess(node, f"{ast.get_source_segment(text, node.func)}(-1)")


def _full_batches(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """A last batch that is shorter is left out."""
    for call in inside(tree, ast.Call):
        if last_name(call.func) == "DataLoader" and argument(call, -1, "drop_last") is None:
            inner = (ast.get_source_segment(text, call) or "()")[:-1].rstrip().removesuffix(",")
            yield Guess(call, f"{inner}, drop_last=True)")


def _one_more(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """Ids from 0 to the largest are one more than it."""
    for node in _values(near):
        written = ast.get_source_segment(text, node)
        if isinstance(node, ast.Call) and last_name(node.func) in ("max", "len"):
            yield Guess(node, f"({written} + 1)")


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
        if isinstance(call, ast.Call) and call.args and last_name(call.func)[:1].islower():
            if all(isinstance(each, ast.Name) for each in call.args):
                yield Guess(node, ast.unparse(call))


def _unwrapped(text: str, tree: ast.Module, near: list[ast.AST], message: str) -> Iterator[Guess]:
    """A value without what was done to it: `t` for `torch.tensor(t.tolist())`, `y` for `y[train]`."""
    for node in _values(near):
        inner = node
        while (next_one := _inner(inner)) is not None:
            inner = next_one
            yield Guess(node, ast.get_source_segment(text, inner) or "")


def _inner(node: ast.AST) -> ast.expr | None:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
        return node.value
    if isinstance(node, ast.Attribute) and node.attr in ("data", "T"):
        return node.value
    if not isinstance(node, ast.Call) or last_name(node.func) not in WRAPPERS:
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
    left = [*_simple(tree)]
    functions = {each: function for function in inside(tree, ast.FunctionDef) for each in ast.walk(function)}
    names: set[str] = set()
    seen = set(LIBRARIES)
    for distance in range(MAX_DISTANCE + 1):
        found = [
            part
            for part in left
            if (not distance and any(part.lineno <= line <= (part.end_lineno or 0) for line in lines))
            or names & _bound(part, functions.get(part))
        ]
        yield from ((distance, part) for part in found)
        left = [part for part in left if part not in found]
        seen |= names
        names = {name for part in found for name in _named(part)} - seen


def _simple(tree: ast.Module) -> Iterator[ast.stmt | ast.expr]:
    """The statements without a body, and what heads those that have one."""
    for node in inside(tree, ast.stmt):
        if not hasattr(node, "body"):
            yield node
        elif type(node) in HEADS:
            yield getattr(node, HEADS[type(node)])


def _named(tree: ast.AST) -> set[str]:
    found = {node.id for node in inside(tree, ast.Name)}
    found |= {node.attr for node in inside(tree, ast.Attribute)}
    found |= {node.arg for node in inside(tree, ast.keyword) if node.arg}
    return found | {str(node.value) for node in inside(tree, ast.Constant) if isinstance(node.value, str)}


def _bound(part: ast.AST, function: ast.FunctionDef | None) -> set[str]:
    """The names that a line gives a value, those of settings too; of a `return` that of its function."""
    targets: list[ast.AST] = [*part.targets] if isinstance(part, ast.Assign) else []
    if isinstance(part, ast.AugAssign | ast.AnnAssign):
        targets = [part.target]
    if isinstance(part, ast.Return) and function is not None:
        return {function.name}
    for call in inside(part, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in FILLING:
            targets.append(call.func.value)
    found = {name for target in targets for name in _named(target)}
    found |= {node.arg for node in inside(part, ast.keyword) if node.arg}
    keys = (key for node in inside(part, ast.Dict) for key in node.keys)
    return found | {str(constant(key)) for key in keys if key is not None}


def _put(text: str, guess: Guess) -> str:
    node = guess.node
    rows = text.encode().splitlines(keepends=True)
    starts = [sum(map(len, rows[: at - 1])) for at in (node.lineno, node.end_lineno)]  # type: ignore[attr-defined]
    start, end = starts[0] + node.col_offset, starts[1] + node.end_col_offset  # type: ignore[attr-defined]
    whole = text.encode()
    return (whole[:start] + guess.new.encode() + whole[end:]).decode()


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
