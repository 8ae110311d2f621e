"""The layer whose input size the message asks for, or an input that lies the other way round."""

import ast

from torchwhy.source.edits import TURNS, FailingLine, LineEdit, Values, given_at
from torchwhy.source.line import failing_call
from torchwhy.source.nodes import last_name


def input_size(line: FailingLine, values: Values) -> LineEdit | None:
    return _of_its_own(line, values, "LSTM|GRU|RNN")


def input_size_of_cell(line: FailingLine, values: Values) -> LineEdit | None:
    return _of_its_own(line, values, "LSTMCell|GRUCell|RNNCell")


def length_second(line: FailingLine, values: Values) -> LineEdit | None:
    """The input with the numbers of a step last: not turned where the line turned it, turned where it did not."""
    call = failing_call(line.here)
    given, text = given_at(call, "0|input") if call is not None else None, line.here.expression
    if (
        isinstance(given, ast.Call)
        and isinstance(given.func, ast.Attribute)
        and last_name(given.func) in TURNS
    ):
        new = ast.unparse(given.func.value)
    else:
        new = "{it}.transpose(1, 2)"
    return line.written(given, text or line.here.code, new)


def _of_its_own(line: FailingLine, values: Values, names: str) -> LineEdit | None:
    """Where no other dimension of the input has that size, or it comes from an embedding: elsewhere the last one
    may be the length, and this would run and be wrong.
    """
    shape = line.given()
    if not line.uses("Embedding") and (shape is None or int(values["want"]) in shape):
        return None
    return line.where_made(names, "0|input_size", values["got"], was=values["want"])
