"""The ids as integers, where they were made."""

import ast

from torchwhy.source.conversions import all_converted
from torchwhy.source.edits import FailingLine, LineEdit, Values
from torchwhy.source.kinds import makers
from torchwhy.source.nodes import inside, last_name

TABLES = ("Embedding", "EmbeddingBag")


def ids(line: FailingLine, values: Values) -> LineEdit | None:
    """What the embeddings of the failing line's function are given: one takes no floats more than another."""
    source, call = line.file, line.failed
    function = source.function(call) if call is not None else None
    tables = [
        each
        for each in inside(function, ast.Call)
        if each.args and any(last_name(made.func) in TABLES for made in makers(source, each.func))
    ]
    return all_converted(line, [each.args[0] for each in tables or [call] if each.args], "long")
