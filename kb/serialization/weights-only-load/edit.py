"""A file that the program has written itself: its maker is known."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values
from torchwhy.source.module import Module
from torchwhy.source.nodes import argument, inside, last_name
from torchwhy.source.roles import is_module


def of_own_file(line: FailingLine, values: Values) -> LineEdit | None:
    """The check left out, where this file saves to the place that it loads from."""
    source = line.source
    load = _load(line)
    if source is None or load is None or not _saves(source, load):
        return None
    given = argument(load, -1, "weights_only")
    place = source.place_of(given)
    if given is not None:
        return LineEdit(place, place.with_text("False"), alone=True) if place is not None else None
    edit = line.with_keyword([load], "weights_only=False")
    return edit._replace(alone=True) if edit is not None else None


def weights_saved(line: FailingLine, values: Values) -> LineEdit | None:
    """Where a whole module is saved and `load_state_dict` gets what is loaded: its weights are saved."""
    source, load = line.source, _load(line)
    if source is None or load is None:
        return None
    saves = _saves(source, load)
    given = saves[0].args[0] if len(saves) == 1 else None
    if given is None or not is_module(source, given) or not _fills(source, load):
        return None
    place = source.place_of(given)
    if place is None or not isinstance(given, ast.Name | ast.Attribute | ast.Call):
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
    place = ast.unparse(load.args[0])
    found = [(each, argument(each, 1, "f")) for each in source.calls("torch.save")]
    return [each for each, to in found if to is not None and ast.unparse(to) == place]


def _fills(source: Module, load: ast.Call) -> bool:
    """Whether what is loaded goes to `load_state_dict`, there or by its name."""
    above = source.parent[load]
    name = last_name(above.targets[0]) if isinstance(above, ast.Assign) else ""
    calls = source.called_as("load_state_dict")
    return any(load is each or last_name(each) == name != "" for call in calls for each in call.args[:1])
