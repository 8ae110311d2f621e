"""The table that lacks the row."""

import ast

from torchwhy.source.counts import only_count, where_given
from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.kinds import makers
from torchwhy.source.nodes import last_name


def rows(line: FailingLine, values: Values) -> LineEdit | None:
    return line.where_made("EmbeddingBag", "0|num_embeddings", values["id_above"], was=values["rows"])


def as_many_as_ids(line: FailingLine, values: Values) -> LineEdit | None:
    """The number of rows as what the ids were counted by: the words of a dictionary, the end of `randint`."""
    source, call = line.source, line.call
    made = makers(source, call.func) if source is not None and call is not None else []
    names = [last_name(each.func) for each in made]
    if source is None or call is None or not call.args or names not in (["Embedding"], ["EmbeddingBag"]):
        return None
    written = only_count(source, call.args[0])
    place = where_given(source, given_at(made[0], "0|num_embeddings"), written) if written else None
    if place is None or ast.unparse(place) == written:
        return None
    return alone(line.put(place, written))
