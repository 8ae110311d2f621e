"""An index of one number for each row."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, given_at
from torchwhy.source.line import parsed_line
from torchwhy.source.nodes import constant, inside, last_name


def one_column(line: FailingLine, values: Values) -> LineEdit | None:
    """The index as a column; what gather takes with it is one number for each row again."""
    call, text = line.only("gather|take_along_dim|scatter|scatter_|scatter_add|scatter_add_")
    if call is None or not isinstance(call.func, ast.Attribute):
        return None
    first = 1 if ast.unparse(call.func.value) == "torch" else 0
    dim, index = given_at(call, f"{first}|dim"), given_at(call, f"{first + 1}|index")
    shape, put = line.record.shape(index), line.record.shape(given_at(call, f"{first + 2}|src"))
    written, whole = (
        ast.get_source_segment(text, index) if index else None,
        ast.get_source_segment(text, call),
    )
    if put is not None and len(put) == 1:
        return None  # it lacks the dimension as well
    if shape is None or len(shape) != 1 or constant(dim) not in (1, -1) or not written or not whole:
        return None
    start = index.col_offset - call.col_offset if index is not None else 0
    new = f"{whole[:start]}{written}.unsqueeze(1){whole[start + len(written) :]}"
    taken = last_name(call.func) in ("gather", "take_along_dim") and not _is_squeezed(text, whole)
    return line.written(call, text, f"{new}.squeeze(1)" if taken else new)


def _is_squeezed(text: str, whole: str) -> bool:
    """Whether the line takes the column off again."""
    owners = [each.value for each in inside(parsed_line(text), ast.Attribute) if each.attr == "squeeze"]
    return whole in [ast.get_source_segment(text, each) for each in owners]
