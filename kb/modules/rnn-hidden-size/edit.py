"""The state that an RNN is given, and the layout of its input."""

from torchwhy.source.edits import FailingLine, LineEdit, Values
from torchwhy.source.nodes import argument
from torchwhy.source.own_file import value_of


def batch_first(line: FailingLine, values: Values) -> LineEdit | None:
    return line.with_keyword(line.makers("LSTM|GRU|RNN"), "batch_first=True")


def without_the_last_batch(line: FailingLine, values: Values) -> LineEdit | None:
    """Of several loaders, the one whose batches have the size of the state."""
    source = line.source
    sizes = [(call, argument(call, -1, "batch_size")) for call in line.calls("DataLoader")]
    its_size = [
        call
        for call, size in sizes
        if source is not None and size is not None and str(value_of(source, size)) == values["second"]
    ]
    return line.with_keyword(its_size, "drop_last=True")


def layers_of_the_state(line: FailingLine, values: Values) -> LineEdit | None:
    return line.where_made("zeros", "0", values["layers"], was=values["first"])


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
