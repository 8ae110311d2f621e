"""A method of NumPy's arrays that is called on a tensor, by its name in torch."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import constant, last_name

METHODS = {"copy": "clone", "expand_dims": "unsqueeze", "fill": "fill_", "transpose": "permute"}
# A type of NumPy's or Python's, by what it is called, and the method that converts to it.
TYPES = {
    "float": "float",
    "float16": "half",
    "float32": "float",
    "float64": "double",
    "double": "double",
    "int": "long",
    "int8": "char",
    "int16": "short",
    "int32": "int",
    "int64": "long",
    "uint8": "byte",
    "bool": "bool",
    "bool_": "bool",
}


def by_its_name(line: FailingLine, values: Values) -> LineEdit | None:
    """The method under the name that torch has for it: no tensor ever ran that line."""
    name = values.get("name", "transpose")
    call = _only(line, name)
    part = line.method_of(call) if call is not None and name in METHODS else None
    if part is None:
        return None
    return alone(line.put_all([(part, part.written.replace(name, METHODS[name], 1))]))


def converted(line: FailingLine, values: Values) -> LineEdit | None:
    """`.float()` and its like for every `.astype(...)` of the line; `.to()` of a type of torch."""
    calls = [each for each in line.calls("astype") if each.func.end_lineno == line.here.line]
    new = [_method(line, each) for each in calls]
    if not all(new):
        return None
    return alone(line.put_all([(line.method_of(call), its) for call, its in zip(calls, new, strict=True)]))


def _method(line: FailingLine, call: ast.Call) -> str:
    if line.source is None or len(call.args) != 1 or call.keywords:
        return ""
    given = call.args[0]
    if line.source.name(given).startswith("torch."):
        return f".to({ast.unparse(given)})"
    named = constant(given) if isinstance(given, ast.Constant) else last_name(given)
    method = TYPES.get(str(named), "")
    return f".{method}()" if method else ""


def _only(line: FailingLine, name: str) -> ast.Call | None:
    """The only call of that method in the failing line."""
    there = [each for each in line.calls(name) if each.func.end_lineno == line.here.line]
    return there[0] if len(there) == 1 else None
