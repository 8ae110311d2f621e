"""The layer whose width the message asks for, or what it is given."""

import math

from torchwhy.source.edits import FailingLine, LineEdit, Values


def width(line: FailingLine, values: Values) -> LineEdit | None:
    return line.where_made("Linear", "0|in_features", values["got"], was=values["want"])


def both_directions(line: FailingLine, values: Values) -> LineEdit | None:
    """The layer behind an RNN that reads both ways."""
    if not line.uses("bidirectional"):
        return None
    return line.where_made("Linear", "0|in_features", "2 * {it}", was=values["want"])


def flattened(line: FailingLine, values: Values) -> LineEdit | None:
    """What the layer is given, where the sizes of one sample multiply to its width."""
    shape = line.given()
    if shape is None or len(shape) < 3 or math.prod(shape[1:]) != int(values["want"]):
        return None
    return line.rewritten("0", "{it}.flatten(1)")


def as_a_batch(line: FailingLine, values: Values) -> LineEdit | None:
    """The only sample that the model is given, where its flattened rows together are as wide as the layer."""
    rows, got, want = (int(values[name]) for name in ("rows", "got", "want"))
    if line.given() != (rows, got) or rows < 2 or rows * got != want:
        return None
    outside = line.model_called()
    return outside.rewritten("0", "{it}.unsqueeze(0)") if outside.here != line.here else None


def second_turned(line: FailingLine, values: Values) -> LineEdit | None:
    """The second factor, where only its columns are as long as the first one's rows; of two stacks of one
    shape too, as of the queries and keys of attention.
    """
    first, second, text = line.factors()
    left, right = line.record.shape(first), line.record.shape(second)
    if left is None or right is None or min(len(left), len(right)) < 2 or left[-1] != right[-1]:
        return None
    if left[-2] == right[-2] and (left != right or len(left) == 2):
        return None  # turned, the first would do as well
    return line.written(second, text, "{it}.transpose(-2, -1)")
