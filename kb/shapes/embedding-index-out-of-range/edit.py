"""The table that lacks the row."""

from torchwhy.source.edits import FailingLine, LineEdit, Values


def rows(line: FailingLine, values: Values) -> LineEdit | None:
    return line.where_made("EmbeddingBag", "0|num_embeddings", values["id_above"], was=values["rows"])
