"""The layer whose input size the message asks for."""

from torchwhy.source.edits import FailingLine, LineEdit, Values


def input_size(line: FailingLine, values: Values) -> LineEdit | None:
    return _behind_an_embedding(line, values, "LSTM|GRU|RNN")


def input_size_of_cell(line: FailingLine, values: Values) -> LineEdit | None:
    return _behind_an_embedding(line, values, "LSTMCell|GRUCell|RNNCell")


def _behind_an_embedding(line: FailingLine, values: Values, names: str) -> LineEdit | None:
    """Elsewhere the last dimension may be the length, and this would run and be wrong."""
    if not line.uses("Embedding"):
        return None
    return line.where_made(names, "0|input_size", values["got"], was=values["want"])
