"""The table that lacks the row."""

from torchwhy.source.edits import Edit, FailingLine, Values


def rows(line: FailingLine, values: Values) -> Edit | None:
    return line.where_made("EmbeddingBag", "0|num_embeddings", values["id_above"], was=values["rows"])
