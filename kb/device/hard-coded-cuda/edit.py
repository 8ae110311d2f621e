"""Every place of a file that demands the GPU, as one device that is there."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.module import Module
from torchwhy.source.nodes import LinePart, inside, last_name, words
from torchwhy.source.own_file import names_of

DEVICE = '"cuda" if torch.cuda.is_available() else "cpu"'
NAME = "device"
TAKES = ("to", "device", "set_default_device")  # calls whose first argument names a device
KEYWORDS = ("device", "map_location")
# Functions of torch.cuda that do well without a GPU.
HARMLESS = words("is_available device_count manual_seed manual_seed_all empty_cache GradScaler autocast")


def the_device_that_is_there(line: FailingLine, values: Values) -> LineEdit | None:
    """The device by the name that the file has for it, else chosen in each place."""
    source = line.file
    if "torch" not in source.imports or _needs_a_gpu(source):
        return None
    names = _names(source)
    places = [part for part in _places(line, source) if part is not None]
    if not places or (names and not _is_bound_above(names[0], places)):
        return None
    chosen = _chosen_once(line, source) if len(places) > 1 and not names else None
    device = names[0].id if names else DEVICE if chosen is None else NAME
    edit = line.put_all(
        [(each, f".to({device})" if each.written.startswith(".cuda") else device) for each in places]
    )
    if edit is not None and chosen is not None:
        edit = edit.with_more(chosen)
    return alone(edit)


def _chosen_once(line: FailingLine, source: Module) -> LineEdit | None:
    """The device chosen behind the imports, where its name is free."""
    imports = [each for each in source.tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
    if not imports or NAME in names_of(source):
        return None
    return line.put_behind(imports[-1], f"\n{NAME} = {DEVICE}")


def _places(line: FailingLine, source: Module) -> Iterator[LinePart | None]:
    """`.cuda()`, and each "cuda" that is given as a device, or to a name."""
    for call in source.of(ast.Call):
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr == "cuda" and not _is_guarded(source, call):
            yield line.method_of(call)
        given = [each.value for each in call.keywords if each.arg in KEYWORDS]
        given += call.args[:1] if last_name(func) in TAKES else []
        for each in given:
            if _is_cuda(each) and not _is_guarded(source, call):
                yield source.place_of(each)
    for made in source.of(ast.Assign):
        if _is_cuda(made.value) and not _is_guarded(source, made):
            yield source.place_of(made.value)


def _is_cuda(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and str(node.value).partition(":")[0] == "cuda"


def _asks(node: ast.AST) -> bool:
    """Whether it asks if there is a GPU."""
    return any(each.attr == "is_available" for each in inside(node, ast.Attribute))


def _is_guarded(source: Module, node: ast.AST) -> bool:
    """Whether it stands under a question for the GPU, or for a name that holds the answer."""
    for above in source.above(node):
        if isinstance(above, ast.If | ast.IfExp | ast.While):
            asked = [value for name in inside(above.test, ast.Name) for value in source.values(name)]
            if any(_asks(each) for each in (above.test, *asked)):
                return True
    return False


def _names(source: Module) -> list[ast.Name]:
    """The names that hold the device which is there: `device = "cuda" if ... else "cpu"`."""
    made = (each for each in source.tree.body if isinstance(each, ast.Assign) and _asks(each.value))
    return [
        each.targets[0]
        for each in made
        if isinstance(each.targets[0], ast.Name)
        and any(isinstance(inner, ast.Constant) and inner.value == "cpu" for inner in ast.walk(each.value))
    ]


def _is_bound_above(name: ast.Name, places: list[LinePart]) -> bool:
    return all((place.line or 0) > name.lineno for place in places)


def _needs_a_gpu(source: Module) -> bool:
    """Whether the file calls what no change of the device helps: `torch.cuda.synchronize()`."""
    for call in source.of(ast.Call):
        parts = source.name(call.func).split(".")
        if parts[:2] == ["torch", "cuda"] and not {*parts}.intersection(HARMLESS):
            if not _is_guarded(source, call):
                return True
    return False
