"""The table that lacks the row."""

import ast

from torchwhy.source.counts import only_count, where_given
from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.kinds import makers
from torchwhy.source.module import Module
from torchwhy.source.nodes import last_name, receiver
from torchwhy.source.origins import origins


def rows(line: FailingLine, values: Values) -> LineEdit | None:
    return line.where_made("EmbeddingBag", "0|num_embeddings", values["id_above"], was=values["rows"])


def as_many_as_ids(line: FailingLine, values: Values) -> LineEdit | None:
    """The number of rows as what the ids were counted by: the words of a dictionary, the end of `randint`; or
    as one more than the highest id, where it is how many different ones there are.
    """
    source, call = line.file, line.failed
    made = makers(source, call.func) if call is not None else []
    names = [last_name(each.func) for each in made]
    if not call.args or names not in (["Embedding"], ["EmbeddingBag"]):
        return None
    written, size = only_count(source, call.args[0]), given_at(made[0], "0|num_embeddings")
    place = where_given(source, size, written) if written else None
    if not written and _above_the_highest(source, size):
        tables = (given_at(each, "0|num_embeddings") for each in line.calls("Embedding|EmbeddingBag"))
        parts = {part: None for each in tables if (part := _above_the_highest(source, each))}
        return alone(line.put_all([(source.place_of(each), new) for each, new in parts]))
    if place is None or ast.unparse(place) == written:
        return None
    return alone(line.put(place, written))


def _above_the_highest(source: Module, size: ast.expr | None) -> tuple[ast.expr, str] | None:
    """Where different ids are counted (`len(set(ids))`, `len(ids.unique())`, `ids.nunique()`), and one more
    than the highest of them.
    """
    made = origins(source, size)
    node = made[0] if len(made) == 1 else None
    while isinstance(node, ast.Call) and last_name(node.func) in ("len", "int") and len(node.args) == 1:
        node = node.args[0]
    if not isinstance(node, ast.Call) or last_name(node.func) not in ("set", "unique", "nunique"):
        return None
    ids = node.args[0] if node.args else receiver(node)
    if ids is None:
        return None
    written = ast.unparse(ids)
    highest = f"max({written}) + 1" if last_name(node.func) == "set" else f"int({written}.max()) + 1"
    return made[0], highest
