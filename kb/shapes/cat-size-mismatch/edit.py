"""Tensors that are joined: maps one pixel apart, another dimension, one that lacks the batch."""

import ast

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, given_at, rewritten
from torchwhy.source.line import only_call
from torchwhy.source.nodes import constant, words
from torchwhy.source.record import Sizes

LAYERS = words(
    "Upsample UpsamplingBilinear2d UpsamplingNearest2d ConvTranspose1d ConvTranspose2d ConvTranspose3d interpolate"
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


def other_dimension(line: FailingLine, values: Values) -> LineEdit | None:
    """Joined along the only dimension in which the tensors differ: of maps the channels, in a model not the
    batch; what differs there is another mistake.
    """
    call, text, tensors, shapes, dim = _joined(line)
    given = given_at(call, "1|dim") if call is not None else None
    if given is None or len({len(shape) for shape in shapes}) != 1:
        return None
    differing = [at for at, sizes in enumerate(zip(*shapes, strict=True)) if len(set(sizes)) > 1]
    in_model = line.here.function.rpartition(".")[2] == "forward"
    if len(differing) != 1 or differing[0] == dim or (len(shapes[0]) > 3 and differing != [1]):
        return None
    if differing == [0] and (in_model or any(shape[0] == 1 for shape in shapes)):
        return None
    return line.written(given, text, str(differing[0]))


def expanded(line: FailingLine, values: Values) -> LineEdit | None:
    """The only tensor for one sample, such as a token for the class, for each sample of the batch."""
    call, text, tensors, shapes, dim = _joined(line)
    single = [at for at, shape in enumerate(shapes) if shape[0] == 1]
    if not dim or len(single) != 1 or len({len(shape) for shape in shapes}) != 1:
        return None
    left = [each for at, each in enumerate(tensors) if at != single[0] and isinstance(each, NAMED)]
    others = [(*shape[1:dim], *shape[dim + 1 :]) for shape in shapes]
    if not left or len({*others}) != 1:
        return None
    behind = ", -1" * (len(shapes[0]) - 1)
    return line.written(tensors[single[0]], text, f"{{it}}.expand({ast.unparse(left[0])}.size(0){behind})")


def with_dimension(line: FailingLine, values: Values) -> LineEdit | None:
    """The only tensor that lacks the dimension along which the others are joined."""
    call, text, tensors, shapes, dim = _joined(line)
    most = max(map(len, shapes), default=0)
    lacking = [at for at, shape in enumerate(shapes) if len(shape) == most - 1]
    if len(lacking) != 1 or dim >= most:
        return None
    rests = [(*shape[:dim], *shape[dim + 1 :]) for at, shape in enumerate(shapes) if at != lacking[0]]
    if {*rests} != {shapes[lacking[0]]}:
        return None
    return line.written(tensors[lacking[0]], text, f"{{it}}.unsqueeze({dim})")


def _joined(line: FailingLine) -> tuple[ast.Call | None, str, list[ast.expr], list[Sizes], int]:
    """The call that joins, the text that it stands in, the tensors, their shapes (none where one is not known)
    and the dimension.
    """
    call, text = line.only("cat|concat|concatenate")
    given = given_at(call, "0") if call is not None else None
    tensors = given.elts if isinstance(given, ast.List | ast.Tuple) else []
    shapes = [shape for shape in map(line.record.shape, tensors) if shape]
    at = given_at(call, "1|dim") if call is not None else None
    dim = constant(at) if at is not None else 0
    if len(shapes) != len(tensors) or not shapes or not isinstance(dim, int):
        return call, text, tensors, [], 0
    return call, text, tensors, shapes, dim % max(map(len, shapes))
