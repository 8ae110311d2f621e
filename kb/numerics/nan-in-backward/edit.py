"""An operation whose derivative is infinite at 0, kept a little above it."""

import ast

from torchwhy.source.edits import OPERANDS, FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import last_name, receiver

ABOVE = ".clamp(min=1e-12)"


def above_zero(line: FailingLine, values: Values) -> LineEdit | None:
    """The input of the only sqrt or log of the file, or the norm that the only division has below it."""
    source = line.file
    if values["op"] == "Div":
        divided = [each.right for each in source.of(ast.BinOp) if isinstance(each.op, ast.Div)]
        calls = [each for each in divided if isinstance(each, ast.Call)]
        inner = calls[0] if len(calls) == 1 and last_name(calls[0].func) == "norm" else None
    else:
        calls = [each for each in line.calls(values["op"].lower()) if _of_torch(line, each)]
        if len(calls) != 1:
            return None
        owner = receiver(calls[0])
        inner = calls[0].args[0] if calls[0].args else owner
    return alone(line.put(inner, f"{{it}}{ABOVE}" if isinstance(inner, OPERANDS) else f"({{it}}){ABOVE}"))


def _of_torch(line: FailingLine, call: ast.Call) -> bool:
    """Whether it is torch's function, or a method without arguments."""
    dotted = line.source.name(call.func) if line.source is not None else ""
    return dotted.startswith("torch.") or (not call.args and not dotted.startswith(("math.", "numpy.")))
