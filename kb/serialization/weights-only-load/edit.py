"""A file that the program has written itself: its maker is known."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.module import Module
from torchwhy.source.nodes import argument, constant, inside, last_name
from torchwhy.source.roles import is_module


def of_own_file(line: FailingLine, values: Values) -> LineEdit | None:
    """The check left out, where this file saves to the place that it loads from."""
    source, load = line.file, _load(line)
    saves = _saves(source, load) if load is not None else []
    if load is None or not saves or any(_whole(source, load, each) for each in saves):
        return None
    given = argument(load, -1, "weights_only")
    place = source.place_of(given)
    if given is not None:
        return LineEdit(place, place.with_text("False"), alone=True) if place is not None else None
    return alone(line.with_keyword([load], "weights_only=False"))


def weights_saved(line: FailingLine, values: Values) -> LineEdit | None:
    """Where a module or an optimizer is saved and `load_state_dict` gets what is loaded: its `state_dict()`."""
    source, load = line.source, _load(line)
    saves = _saves(source, load) if source is not None and load is not None else []
    whole = (
        _whole(source, load, saves[0]) if source is not None and load is not None and len(saves) == 1 else []
    )
    place = source.place_of(whole[0]) if source is not None and len(whole) == 1 else None
    if place is None or not isinstance(whole[0], ast.Name | ast.Attribute | ast.Call):
        return None
    return LineEdit(place, place.with_text(f"{place.written}.state_dict()"), alone=True)


def _load(line: FailingLine) -> ast.Call | None:
    calls = [] if line.source is None else inside(line.statement(), ast.Call)
    found = [
        each for each in calls if line.source is not None and line.source.name(each.func) == "torch.load"
    ]
    return found[0] if len(found) == 1 and found[0].args else None


def _saves(source: Module, load: ast.Call) -> list[ast.Call]:
    """The `torch.save` calls that write what this call reads."""
    found = [(each, argument(each, 1, "f")) for each in source.calls("torch.save")]
    return [each for each, to in found if to is not None and _is_same(source, to, load.args[0])]


def _is_same(source: Module, one: ast.expr, other: ast.expr) -> bool:
    """Whether both are written alike, or stand for one and the same text."""
    if ast.unparse(one) == ast.unparse(other):
        return True
    texts = [{constant(each) for each in source.values(node)} for node in (one, other)]
    return texts[0] == texts[1] and len(texts[0]) == 1 and isinstance(next(iter(texts[0])), str)


def _whole(source: Module, load: ast.Call, save: ast.Call) -> list[ast.expr]:
    """What is saved as an object though its weights are asked for: `load_state_dict` gets it when it is loaded."""
    filled = [ast.unparse(part) for part in _filled(source, load)]
    saved = save.args[0] if save.args else None
    pairs = zip(saved.keys, saved.values, strict=True) if isinstance(saved, ast.Dict) else [(None, saved)]
    parts = [(f"[{ast.unparse(key)}]" if key is not None else "", each) for key, each in pairs]
    return [each for part, each in parts if part in filled and each is not None and _is_object(source, each)]


def _filled(source: Module, load: ast.Call) -> Iterator[ast.expr]:
    """Of what is loaded, the parts that go to `load_state_dict`, as indexes of nothing."""
    above = source.parent[load]
    name = last_name(above.targets[0]) if isinstance(above, ast.Assign) else ""
    for call in source.called_as("load_state_dict"):
        given = call.args[0] if call.args else None
        owner = given.value if isinstance(given, ast.Subscript) else given
        if owner is load or (name and last_name(owner) == name):
            yield (
                ast.Subscript(ast.Name(""), given.slice) if isinstance(given, ast.Subscript) else ast.Name("")
            )


def _is_object(source: Module, node: ast.expr) -> bool:
    made = source.values(node)
    calls = [each for each in made if isinstance(each, ast.Call)]
    names = [source.name(each.func) for each in calls]
    optimizer = (
        bool(made) and len(names) == len(made) and all(each.startswith("torch.optim.") for each in names)
    )
    return optimizer or is_module(source, node)
