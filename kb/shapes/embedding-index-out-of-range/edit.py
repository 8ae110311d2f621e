"""The table that lacks the row."""

import ast

from torchwhy.source.counts import only_count, where_given
from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.kinds import makers
from torchwhy.source.nodes import last_name
from torchwhy.source.origins import origins


def rows(line: FailingLine, values: Values) -> LineEdit | None:
    return line.where_made("EmbeddingBag", "0|num_embeddings", values["id_above"], was=values["rows"])


def as_many_as_ids(line: FailingLine, values: Values) -> LineEdit | None:
    """The number of rows as what the ids were counted by: the words of a dictionary, the end of `randint`; or
    as one more than the highest id, where it is how many different ones there are.
    """
    source, call = line.source, line.call
    made = makers(source, call.func) if source is not None and call is not None else []
    names = [last_name(each.func) for each in made]
    if source is None or call is None or not call.args or names not in (["Embedding"], ["EmbeddingBag"]):
        return None
    written, size = only_count(source, call.args[0]), given_at(made[0], "0|num_embeddings")
    counted = origins(source, size)
    highest = _above_the_highest(counted[0]) if len(counted) == 1 else ""
    place = where_given(source, size, written) if written else counted[0] if highest else None
    if place is None or ast.unparse(place) == written:
        return None
    return alone(line.put(place, written or highest))


def _above_the_highest(node: ast.expr) -> str:
    """One more than the highest of what `len(set(ids))`, `len(ids.unique())` or `ids.nunique()` counts."""
    if isinstance(node, ast.Call) and last_name(node.func) in ("len", "int") and len(node.args) == 1:
        inner = node.args[0]
        if isinstance(inner, ast.Call) and last_name(inner.func) == "set" and inner.args:
            return f"max({ast.unparse(inner.args[0])}) + 1"
        return _above_the_highest(inner)
    if not isinstance(node, ast.Call) or last_name(node.func) not in ("unique", "nunique"):
        return ""
    ids = node.args[0] if node.args else node.func.value if isinstance(node.func, ast.Attribute) else None
    return f"int({ast.unparse(ids)}.max()) + 1" if ids is not None else ""
