"""Rows of output that do not meet the targets one by one."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.kinds import makers
from torchwhy.source.line import failing_call
from torchwhy.source.module import Module
from torchwhy.source.nodes import argument, constant, last_name, number_of


def padded(line: FailingLine, values: Values) -> LineEdit | None:
    """Whether padding may be what makes the lengths differ."""
    calls = line.calls("pad_packed_sequence")
    return line.shown(calls[0].lineno) if len(calls) == 1 else None


def classes_second(line: FailingLine, values: Values) -> LineEdit | None:
    """The classes of the output in dimension 1, where the others are the target's, in its order."""
    call = failing_call(line.here)
    target = given_at(call, "1|target") if call is not None else None
    shape, wanted = line.given(), line.record.shape(target) or line.record.inner("target")
    if shape is None or wanted is None or len(shape) < 3 or shape[:-1] != wanted:
        return None
    return line.given_otherwise(
        "0|input", "{it}.transpose(1, 2)" if len(shape) == 3 else "{it}.movedim(-1, 1)"
    )


def samples_kept(line: FailingLine, values: Values) -> LineEdit | None:
    """The only `view(-1, width)` of a forward that made {input} rows of {target} samples."""
    source, rows, samples = line.source, int(values["input"]), int(values["target"])
    found = [
        call
        for call in line.calls("view|reshape")
        if len(call.args) == 2 and constant(call.args[0]) == -1 and source is not None
        if (around := source.function(call)) is not None and around.name == "forward"
    ]
    width = number_of(found[0].args[1]) if len(found) == 1 else None
    if width is None or not samples or rows == samples or rows * width % samples:
        return None
    return line.samples_kept(found[0], width, rows * width // samples)


def whole(line: FailingLine, values: Values) -> LineEdit | None:
    """Without the slice of one of the two, where the whole has as many rows as the other."""
    call = failing_call(line.here)
    both = {name: given_at(call, name) if call is not None else None for name in ("0|input", "1|target")}
    for (name, part), (other, beside) in zip(both.items(), reversed(both.items()), strict=True):
        if not isinstance(part, ast.Subscript) or not isinstance(part.slice, ast.Slice):
            continue
        rows = line.record.shape(part.value)
        wanted = line.record.shape(beside) or line.record.inner(other.partition("|")[2])
        if rows and wanted and rows[0] == wanted[0]:
            return line.given_otherwise(name, ast.unparse(part.value))
    return None


def last_step(line: FailingLine, values: Values) -> LineEdit | None:
    """The last step of each sample, where the file takes the last row of what a layer with batch_first gives."""
    source = line.source
    taken = [each for each in source.of(ast.Subscript) if constant(each.slice) == -1] if source else []
    found = [each for each in taken if source is not None and _is_batch_first(source, each.value)]
    return alone(line.put(found[0].slice, ":, {it}")) if len(found) == 1 else None


def _is_batch_first(source: Module, node: ast.expr) -> bool:
    """Whether it is the first of what an RNN gives whose batches come first."""
    bound = source.bindings(node) if isinstance(node, ast.Name) else []
    call = bound[0].value if len(bound) == 1 and (bound[0].part, bound[0].index) == ("item", 0) else None
    made = makers(source, call.func) if isinstance(call, ast.Call) else []
    first = [constant(argument(each, 4, "batch_first")) is True for each in made]
    return bool(first) and all(first) and {last_name(each.func) for each in made} <= {"LSTM", "GRU", "RNN"}
