"""The last length is what the others leave."""

import ast

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, given_at, rewritten
from torchwhy.source.line import only_call


def what_the_others_leave(line: FailingLine, values: Values) -> LineEdit | None:
    call = only_call(line.here.code, "random_split")
    given = given_at(call, "1|lengths") if call is not None else None
    lengths = given.elts if isinstance(given, ast.List | ast.Tuple) else []
    others = lengths[:-1]
    if not others or not isinstance(others[0], NAMED):
        return None
    if not all(isinstance(each, (*NAMED, ast.Constant)) for each in others):
        return None  # what is called would run twice
    left = " - ".join(["len({argument0})", *map(ast.unparse, others)])
    return rewritten(line.here, lengths[-1], left, call)
