"""The layer whose channels the message asks for."""

from torchwhy.source.edits import FailingLine, LineEdit, Values

CONVOLUTIONS = "Conv1d|Conv2d|Conv3d|ConvTranspose1d|ConvTranspose2d|ConvTranspose3d"


def channels(line: FailingLine, values: Values) -> LineEdit | None:
    return line.where_made(CONVOLUTIONS, "0|in_channels", values["got"], was=values["want"])


def features(line: FailingLine, values: Values) -> LineEdit | None:
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
    edit = line.rewritten("0", "{it}.unsqueeze(1)")
    return edit._replace(alone=True) if edit is not None else None
