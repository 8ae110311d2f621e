"""The functions of linear algebra that went, by what torch.linalg has for them."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone

# The function of torch.linalg, and which arguments it takes, in its order.
NEW = {"symeig": ("eigh", (0,)), "matrix_rank": ("matrix_rank", (0,)), "solve": ("solve", (1, 0))}


def of_linalg(line: FailingLine, values: Values) -> LineEdit | None:
    """`torch.linalg.eigh(a)` for `torch.symeig(a, eigenvectors=True)`; of `solve`, which gave two, the first."""
    source = line.file
    calls = [each for each in line.calls("|".join(NEW)) if each.lineno == line.here.line]
    old = source.name(calls[0].func).removeprefix("torch.") if len(calls) == 1 else ""
    if old not in NEW:
        return None
    call, (new, takes) = calls[0], NEW[old]
    if len(call.args) <= max(takes) or not {each.arg for each in call.keywords} <= {"eigenvectors", "upper"}:
        return None
    written = f"torch.linalg.{new}({', '.join(ast.unparse(call.args[at]) for at in takes)})"
    above = source.parent[call]
    if old != "solve":
        return alone(line.put(call, written))
    if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Tuple):
        return alone(line.put(call, f"{written}, None"))
    if isinstance(above, ast.Subscript | ast.Attribute) and ast.unparse(above)[-3:] in ("[0]", "ion"):
        return alone(line.put(above, written))
    return None
