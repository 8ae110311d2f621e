"""The layer that makes sparse gradients."""

from torchwhy.source.edits import FailingLine, LineEdit, Values


def dense(line: FailingLine, values: Values) -> LineEdit | None:
    return line.with_argument(line.calls("Embedding|EmbeddingBag"), "6|sparse", "False")
