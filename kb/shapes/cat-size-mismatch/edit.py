"""Feature maps whose sizes differ by one, after one of them was enlarged."""

import ast

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, given_at, rewritten
from torchwhy.source.line import only_call

LAYERS = (
    "Upsample",
    "UpsamplingBilinear2d",
    "UpsamplingNearest2d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "interpolate",
)


def first_resized(line: FailingLine, values: Values) -> LineEdit | None:
    return _resized(line, 0)


def other_resized(line: FailingLine, values: Values) -> LineEdit | None:
    return _resized(line, int(values["number"]))


def _resized(line: FailingLine, at: int) -> LineEdit | None:
    """The tensor at that place of the list with the size of the first other one."""
    call = only_call(line.here.code, "cat|concat|concatenate") if line.uses(*LAYERS) else None
    given = given_at(call, "0") if call is not None else None
    tensors = given.elts if isinstance(given, ast.List | ast.Tuple) else []
    if len(tensors) < 2 or at >= len(tensors):
        return None
    beside = tensors[1 if at == 0 else 0]
    if not isinstance(beside, NAMED):
        return None  # what is called would run twice
    new = f"torch.nn.functional.interpolate({{it}}, size={ast.unparse(beside)}.shape[2:])"
    return rewritten(line.here, tensors[at], new, call)
