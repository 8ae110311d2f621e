"""The layer whose channels the message asks for."""

from torchwhy.source.edits import FailingLine, LineEdit, Values

CONVOLUTIONS = "Conv1d|Conv2d|Conv3d|ConvTranspose1d|ConvTranspose2d|ConvTranspose3d"


def channels(line: FailingLine, values: Values) -> LineEdit | None:
    return line.where_made(CONVOLUTIONS, "0|in_channels", values["got"], was=values["want"])


def features(line: FailingLine, values: Values) -> LineEdit | None:
    return line.where_made(
        "BatchNorm1d|BatchNorm2d|BatchNorm3d", "0|num_features", values["got"], was=values["want"]
    )
