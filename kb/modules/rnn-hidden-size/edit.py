"""The state that an RNN is given, and the layout of its input."""

import ast
from collections.abc import Callable, Sequence

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.line import failing_call
from torchwhy.source.module import Module
from torchwhy.source.nodes import argument, argument_of, inside, last_name, position
from torchwhy.source.origins import origins
from torchwhy.source.own_file import value_of
from torchwhy.source.roles import loaded, stored
from torchwhy.source.shapes import FILLED


def batch_first(line: FailingLine, values: Values) -> LineEdit | None:
    return line.with_keyword(line.makers("LSTM|GRU|RNN"), "batch_first=True")


def without_the_last_batch(line: FailingLine, values: Values) -> LineEdit | None:
    """Of the loop that carries the state from batch to batch, the loader that gives batches of its size."""
    outside = line.model_called()
    source, call, statement = outside.source, outside.call, outside.statement()
    if source is None or call is None or statement is None or not stored(statement) & loaded(call):
        return None
    over = [
        each
        for loop in source.loops(call)[:1]
        if isinstance(loop, ast.For)
        for each in inside(loop.iter, ast.Name)
    ]
    loaders = [made for each in over for made in source.values(each) if isinstance(made, ast.Call)]
    sizes = [
        value_of(source, size) for each in loaders if (size := argument(each, 1, "batch_size")) is not None
    ]
    fits = len(loaders) == 1 and [*map(str, sizes)] == [values["second"]]
    return alone(line.with_keyword(loaders, "drop_last=True")) if fits else None


def layers_of_the_state(line: FailingLine, values: Values) -> LineEdit | None:
    """The first size of the zeros that the state is."""
    return _of_each(line, lambda sizes: (values["layers"], *sizes[1:]))


def batch_of_the_state(line: FailingLine, values: Values) -> LineEdit | None:
    """The second size of the zeros that the state is, as the batch that the layer is given."""
    source, call, batch = line.file, line.failed, int(values["batch"])
    if not call.args:
        return None
    zeros = _sizes_of_the_state(line)
    named = [
        each
        for each in inside(call.args[0], *NAMED)
        if all(_is_known(source, each, sizes[0]) for sizes in zeros)
    ]
    shapes = [(ast.unparse(each), line.record.shape(each)) for each in named]
    found = {
        f"{name}.size({shape.index(batch)})"
        for name, shape in shapes
        if shape and shape[:2].count(batch) == 1
    }
    return _of_each(line, lambda sizes: (sizes[0], min(found), sizes[2])) if len(found) == 1 else None


def _is_known(source: Module, node: ast.expr, at: ast.expr) -> bool:
    """Whether the names of an expression have their value at another place."""
    bound = [each.node for name in inside(node, ast.Name) for each in source.bindings(name)]
    return all(position(each) < position(at) and source.dominates(each, at) for each in bound)


def made_for_each_batch(line: FailingLine, values: Values) -> LineEdit | None:
    """The size that a function of the file makes the state with, as that of the batch which the model is given
    beside it, where the state is made anew for each.
    """
    outside, call, batch = line.model_called(), line.failed, int(values["batch"])
    source, model = outside.source, outside.call
    shape = line.given()
    if source is None or line.source is not source or model is None or not model.args:
        return None
    state = given_at(call, "1|hx")
    zeros = [*origins(source, state), *origins(source, state, 0), *origins(source, state, 1)]
    sizes = [given[1] for given in map(_zero_sizes, dict.fromkeys(zeros)) if len(given) == 3]
    makes = [*dict.fromkeys(source.function(each) for each in sizes if isinstance(each, ast.Name))]
    calls = source.calls_of(makes[0]) if len(makes) == 1 and makes[0] is not None else []
    given = model.args[0]
    if len(calls) != 1 or makes[0] is None or not isinstance(given, ast.Name) or not shape:
        return None
    method = isinstance(source.parent[makes[0]], ast.ClassDef)
    size = argument_of(makes[0], calls[0], ast.unparse(sizes[0]), method)
    bound = source.bindings(given)
    near = source.loops(calls[0])[:1] == source.loops(model)[:1] != []
    if (
        not near
        or len(bound) != 1
        or not source.dominates(bound[0].node, calls[0])
        or shape.count(batch) != 1
    ):
        return None
    return alone(line.put(size, f"{given.id}.size({shape.index(batch)})"))


def layers_first(line: FailingLine, values: Values) -> LineEdit | None:
    """The first two sizes of the zeros that the state is, one in the place of the other."""
    return _of_each(line, lambda sizes: (sizes[1], sizes[0], sizes[2]))


def _of_each(line: FailingLine, new: Callable[[Sequence[str]], Sequence[str]]) -> LineEdit | None:
    """The three sizes of all that the state is made of, written anew."""
    edits: list[LineEdit] = []
    for sizes in _sizes_of_the_state(line):
        places = [line.source.place_of(each) if line.source is not None else None for each in sizes]
        first, last = places[0], places[-1]
        if len(places) != 3 or first is None or last is None or first.line != last.line:
            return None
        whole = first._replace(end=last.end)
        text = whole.with_text(", ".join(new([ast.unparse(each) for each in sizes])))
        edits.append(LineEdit(whole, text, alone=True))
    return edits[0].with_more(*edits[1:]) if edits else None


def _sizes_of_the_state(line: FailingLine) -> list[list[ast.expr]]:
    """The sizes of the zeros that the failing layer alone is given as its state; none where it is anything else."""
    source, failed = line.source, failing_call(line.here)
    if source is None or failed is None:
        return []
    here = [each for each in source.of(ast.Call) if each.lineno == line.here.line]
    calls = [each for each in here if ast.unparse(each) == ast.unparse(failed)]
    state = given_at(calls[0], "1|hx") if len(calls) == 1 else None
    parts = [each for each in (state.elts if isinstance(state, ast.Tuple) else [state]) if each is not None]
    names = {each.id for each in parts if isinstance(each, ast.Name)}
    read = [each for each in source.of(ast.Name) if each.id in names and isinstance(each.ctx, ast.Load)]
    made = dict.fromkeys(value for each in parts for value in source.values(each))
    zeros = [each for each in made if isinstance(each, ast.Call) and last_name(each.func) in FILLED]
    if len(zeros) < len(made) or {each.lineno for each in read} - {line.here.line}:
        return []
    return [_zero_sizes(each) for each in zeros]


def _zero_sizes(node: ast.expr) -> list[ast.expr]:
    """The sizes that `zeros(2, 3)` or `zeros((2, 3))` is given."""
    if not isinstance(node, ast.Call) or last_name(node.func) not in FILLED:
        return []
    one = node.args[0] if len(node.args) == 1 else None
    return one.elts if isinstance(one, ast.Tuple | ast.List) else node.args


def directions_added(line: FailingLine, values: Values) -> LineEdit | None:
    return _of_both(line, "{it}" + _added(values))


def directions_added_of_each(line: FailingLine, values: Values) -> LineEdit | None:
    """As `directions_added`, of the pair that an LSTM takes."""
    return _of_both(line, f"tuple(s{_added(values)} for s in {{it}})")


def _added(values: Values) -> str:
    return f".view({values['layers']}, 2, -1, {values['hidden']}).sum(1)"


def _of_both(line: FailingLine, new: str) -> LineEdit | None:
    """The state of an encoder that reads both ways."""
    return line.rewritten("1|hx", new) if line.uses("bidirectional") else None
