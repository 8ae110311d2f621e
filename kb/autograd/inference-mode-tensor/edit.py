"""The inference mode whose results are trained on, as one that only records nothing."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone


def without_recording(line: FailingLine, values: Values) -> LineEdit | None:
    """`no_grad` for the only `inference_mode` of the file, which is given nothing."""
    source = line.file
    used = [each for each in source.of(ast.Attribute, ast.Name) if _is_it(each)]
    node = used[0] if len(used) == 1 else None
    if not isinstance(node, ast.Attribute) or source.name(node.value) != "torch":
        return None
    above = source.parent[node]
    if isinstance(above, ast.Call) and (above.args or above.keywords):
        return None
    return alone(line.put(node, f"{ast.unparse(node.value)}.no_grad"))


def _is_it(node: ast.Attribute | ast.Name) -> bool:
    return (node.attr if isinstance(node, ast.Attribute) else node.id) == "inference_mode"
