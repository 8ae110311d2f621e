"""The layer whose channels the message asks for, or what it is given."""

import ast

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, given_at, rewritten
from torchwhy.source.line import failing_call, only_call
from torchwhy.source.nodes import constant

CAT = "cat|concat|concatenate"

CONVOLUTIONS = "Conv1d|Conv2d|Conv3d|ConvTranspose1d|ConvTranspose2d|ConvTranspose3d"


def joined(line: FailingLine, values: Values) -> LineEdit | None:
    """The maps joined along the channels, where the line that made the input joined them along another dimension."""
    call = failing_call(line.here)
    given = call.args[0] if call is not None and call.args else None
    made = line.made(ast.unparse(given)) if isinstance(given, NAMED) else None
    cat = only_call(made.code, CAT) if made is not None else None
    shape, dim = line.given(), given_at(cat, "1|dim") if cat is not None else None
    along = constant(dim) if dim is not None else 0
    if made is None or cat is None or not isinstance(along, int) or int(values["got"]) >= int(values["want"]):
        return None
    if not shape or along % len(shape) == 1:
        return None
    if dim is not None:
        return rewritten(made, dim, "1")
    written = ast.get_source_segment(made.code, cat) or ""
    return rewritten(made, cat, f"{written[:-1]}, dim=1)")


def channels(line: FailingLine, values: Values) -> LineEdit | None:
    if _is_alone(line, values):
        return None
    return line.where_made(CONVOLUTIONS, "0|in_channels", values["got"], was=values["want"])


def features(line: FailingLine, values: Values) -> LineEdit | None:
    if _is_alone(line, values):
        return None
    return line.where_made(
        "BatchNorm1d|BatchNorm2d|BatchNorm3d", "0|num_features", values["got"], was=values["want"]
    )


def normalized(line: FailingLine, values: Values) -> LineEdit | None:
    return line.where_made("LayerNorm|RMSNorm", "0|normalized_shape", values["end"], was=values["one"])


def grey_channel(line: FailingLine, values: Values) -> LineEdit | None:
    """The only channel of the samples, which the layer took for channels."""
    shape = line.given()
    if shape is None or len(shape) not in (2, 3) or shape[0] != int(values["got"]):
        return None
    return line.given_otherwise("0", "{it}.unsqueeze(1)")


def as_a_batch(line: FailingLine, values: Values) -> LineEdit | None:
    return line.as_a_batch() if _is_alone(line, values) else None


def _is_alone(line: FailingLine, values: Values) -> bool:
    """Whether what arrives is one sample that is no batch: maps of three dimensions, or rows for channels."""
    shape = line.given() or ()
    return (len(shape) == 3 and "h" in values) or shape == (int(values["want"]), int(values["got"]))
