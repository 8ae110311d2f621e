"""A device that is called `gpu`, as the one that torch knows."""

import ast

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import constant, last_name
from torchwhy.source.origins import origins

DEVICE = '"cuda" if torch.cuda.is_available() else "cpu"'
TAKES = ("device", "to")


def cuda_or_cpu(line: FailingLine, values: Values) -> LineEdit | None:
    """The text where it is written, else what stands for it in the only call that takes it."""
    source, call = line.file, line.call
    node = call.args[0] if call is not None and call.args and last_name(call.func) in TAKES else None
    if node is None or values["device"] != "gpu" or source.imports.get("torch") != "torch":
        return None
    made = origins(source, node)
    if len(made) == 1 and constant(made[0]) == "gpu":
        return alone(line.put(made[0], DEVICE))
    if not isinstance(node, (*NAMED, ast.Subscript)):
        return None
    text = ast.unparse(node)
    reads = [each for each in source.of(type(node)) if ast.unparse(each) == text]
    taken = [each for each in reads if last_name(getattr(source.parent[each], "func", None)) in TAKES]
    return alone(line.put(node, f'{{it}}.replace("gpu", {DEVICE})')) if len(taken) == 1 else None
