"""A method of a data set under another name."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.module import Class, Module
from torchwhy.source.nodes import own_nodes, parameters

LENGTH, SAMPLE = "__len__", "__getitem__"
DATASETS = ("torch.utils.data.Dataset", "torch.utils.data.IterableDataset")


def the_length(line: FailingLine, values: Values) -> LineEdit | None:
    return _renamed(line, LENGTH, 1, values.get("cls", ""))


def the_sample(line: FailingLine, values: Values) -> LineEdit | None:
    return _renamed(line, SAMPLE, 2, values.get("cls", ""))


def as_a_list(line: FailingLine, values: Values) -> LineEdit | None:
    """`list()` around what Python makes one by one, where the failing call is given it."""
    source = line.source
    found = [
        given
        for call in line.calls("DataLoader|random_split|Subset|ConcatDataset")
        if (given := given_at(call, "0|dataset")) is not None and source is not None
        if any(
            source.name(getattr(made, "func", None)) == f"builtins.{values['cls']}"
            for made in source.values(given)
        )
    ]
    return alone(line.put(found[0], "list({it})") if len(found) == 1 else None)


def _renamed(line: FailingLine, name: str, count: int, cls: str) -> LineEdit | None:
    """The only method of the data set that nothing calls and that takes as much gets the name: it has never
    run, so nothing else can change.
    """
    source = line.source
    found = [each for each in source.classes.values() if _lacks(source, each, name, cls)] if source else []
    if source is None or len(found) != 1:
        return None
    used = {each.attr for each in source.of(ast.Attribute)}
    left = [
        each
        for each in found[0].methods.values()
        if each.name not in used and each.name not in (LENGTH, SAMPLE, "__init__", "__iter__", "__repr__")
        if len(parameters(each)) == count and not each.decorator_list
        if any(isinstance(inner, ast.Return) and inner.value for inner in own_nodes(each))
    ]
    edit = line.shown(left[0].lineno) if len(left) == 1 else None
    if edit is None:
        return None
    text = edit.place.text.strip()
    return edit._replace(after=text.replace(f"def {left[0].name}(", f"def {name}("), alone=True)


def _lacks(source: Module, found: Class, name: str, cls: str) -> bool:
    """Whether it is the class of that name, or where the message has none a data set, without the method."""
    meant = found.node.name == cls if cls else source.is_subclass(found, *DATASETS)
    return meant and name not in found.methods
