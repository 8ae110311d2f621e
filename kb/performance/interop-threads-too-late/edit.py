"""A call that comes too late: the first one counts, and it stands right behind the imports."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import number_of
from torchwhy.source.roles import bare_call

NAME = "torch.set_num_interop_threads"


def once_at_the_beginning(line: FailingLine, values: Values) -> LineEdit | None:
    source, statement = line.file, line.failing
    call = bare_call(statement)
    if call is None or source.name(call.func) != NAME:
        return None
    if not isinstance(source.parent[statement], ast.Module):
        return None
    others = [each for each in source.calls(NAME) if each is not call]
    if others:
        same = all(
            ast.dump(each.args[0]) == ast.dump(call.args[0]) for each in others if each.args and call.args
        )
        first = others[0]
        plain = isinstance(source.parent[first], ast.Expr) and isinstance(
            source.parent[source.parent[first]], ast.Module
        )
        edit = line.taken_away(statement) if plain and same and first.lineno < call.lineno else None
    else:
        body = source.tree.body
        at = max(
            (at for at, each in enumerate(body) if isinstance(each, ast.Import | ast.ImportFrom)), default=-1
        )
        known = len(call.args) == 1 and number_of(call.args[0]) is not None
        early = all(isinstance(each, ast.Import | ast.ImportFrom | ast.Expr) for each in body[: at + 1])
        worked = at < 0 or not known or not early or statement in body[: at + 2]
        edit = None if worked else line.moved([statement], before=body[at + 1])
    return alone(edit)
