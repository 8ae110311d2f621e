"""The layer whose width the message asks for."""

from torchwhy.source.edits import FailingLine, LineEdit, Values


def width(line: FailingLine, values: Values) -> LineEdit | None:
    return line.where_made("Linear", "0|in_features", values["got"], was=values["want"])


def both_directions(line: FailingLine, values: Values) -> LineEdit | None:
    """The layer behind an RNN that reads both ways."""
    if not line.uses("bidirectional"):
        return None
    return line.where_made("Linear", "0|in_features", "2 * {it}", was=values["want"])
