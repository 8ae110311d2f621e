"""The layer whose channels the message asks for, or what it is given."""

import ast

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, given_at, rewritten
from torchwhy.source.line import failing_call, only_call
from torchwhy.source.nodes import constant

CONVOLUTIONS = "Conv1d|Conv2d|Conv3d|ConvTranspose1d|ConvTranspose2d|ConvTranspose3d"


def channels(line: FailingLine, values: Values) -> LineEdit | None:
    if _is_alone(line, values):
        return None
    return line.where_made(CONVOLUTIONS, "0|in_channels", values["got"], was=values["want"])


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
