"""The layer that makes sparse gradients."""

from torchwhy.source.edits import Edit, FailingLine, Values


def dense(line: FailingLine, values: Values) -> Edit | None:
    return line.with_argument(line.calls("Embedding|EmbeddingBag"), "6|sparse", "False")
