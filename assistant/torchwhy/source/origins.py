"""Where the values of an expression were made: through names, parameters, attributes, loops over loaders and
data sets, what is put into lists and dictionaries, and what functions of the file return or yield.

A way to a value is an expression and what is taken of it: the item of a number, the value of a key, or EACH,
one of many. A tensor that is indexed stays where it was made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .kinds import LOADER, class_made, makers
from .module import Class, Module
from .nodes import Function, argument, constant, inside, is_open, last_name, own_nodes, returned, words
from .settings import field

EACH = "one of many"
MAX_STEPS = 24
MAX_FOUND = 8
SAME_TYPE = words(
    "view reshape unsqueeze squeeze transpose permute flatten t to cuda cpu contiguous clone detach"
)
PASSED_ON = words("tqdm iter next list tuple reversed cycle islice trange Subset sorted")
EMPTY = words(
    "list dict deque set defaultdict OrderedDict"
)  # containers, where they are called with no values
ONE_MORE, ALL_MORE = words("append appendleft add insert"), words("extend update")  # that put into one

Way = tuple[object, ...]


class UnknownError(Exception):
    """The text does not show where a value was made."""


def origins(source: Module, node: ast.expr | None, *way: object) -> list[ast.expr]:
    """Every expression of the file that may have made what this one gives, or what is taken of it, each once;
    [] where one of them is not known. Methods that keep the type, and indices, are passed.
    """
    if node is None:
        return []
    try:
        found = [*dict.fromkeys(_followed(source, node, way, MAX_STEPS))]
    except UnknownError:
        return []
    return found if len(found) <= MAX_FOUND else []


def _followed(source: Module, node: ast.expr | None, way: Way, steps: int) -> Iterator[ast.expr]:
    if node is None or steps <= 0:
        raise UnknownError
    if isinstance(node, ast.Name):
        yield from _of_name(source, node, way, steps - 1)
    elif isinstance(node, ast.IfExp):
        yield from _followed(source, node.body, way, steps - 1)
        yield from _followed(source, node.orelse, way, steps - 1)
    elif isinstance(node, ast.Attribute):
        yield from _of_attribute(source, node, way, steps - 1)
    elif isinstance(node, ast.Subscript):
        if _is_column(node.slice):
            yield node  # beside other columns, which may be of another kind
            return
        key = constant(node.slice)
        taken = key if type(key) in (int, str) else EACH
        yield from _followed(source, node.value, (taken, *way), steps - 1)
    elif isinstance(node, ast.Call):
        yield from _of_call(source, node, way, steps - 1)
    elif isinstance(node, ast.Dict | ast.Tuple | ast.List | ast.ListComp | ast.GeneratorExp) and way:
        yield from _of_display(source, node, way, steps - 1)
    else:
        yield node


def _is_column(index: ast.expr) -> bool:
    whole = [isinstance(each, ast.Slice) and each.lower is each.upper is None for each in _parts(index)]
    return not all(whole)


def _parts(index: ast.expr) -> list[ast.expr]:
    """What an index takes beside the first dimension."""
    return index.elts[1:] if isinstance(index, ast.Tuple) else []


def _of_name(source: Module, name: ast.Name, way: Way, steps: int) -> Iterator[ast.expr]:
    bound = source.bindings(name)
    if not bound:
        raise UnknownError
    for each in bound:
        if each.part == "param":
            yield from _of_parameter(source, each.node, way, steps)
        elif each.part == "whole":
            yield from _followed(source, each.value, way, steps)
        elif each.part in ("each", "item"):
            target = each.node.targets[0] if isinstance(each.node, ast.Assign) else each.node
            taken = _place(target, name.id)
            taken = (EACH, *taken) if each.part == "each" else taken
            yield from _followed(source, each.value, (*taken, *way), steps)
        else:
            raise UnknownError


def _place(target: ast.AST, name: str) -> Way:
    """At which items of what is unpacked into a target a name stands."""
    if isinstance(target, ast.Tuple | ast.List):
        for at, each in enumerate(target.elts):
            if any(inner.id == name for inner in inside(each, ast.Name)):
                return (at, *_place(each, name))
    if not isinstance(target, ast.Name):
        raise UnknownError
    return ()


def _of_parameter(source: Module, node: ast.AST, way: Way, steps: int) -> Iterator[ast.expr]:
    """What each call of the file gives for a parameter; of `forward` the calls of its class's objects."""
    function = source.function(node)
    if function is None or not isinstance(node, ast.arg):
        raise UnknownError
    calls = source.calls_of(function)
    if function.name in ("forward", "__call__"):
        calls = [call for call in source.of(ast.Call) if _is_object_of(source, call.func, function)]
    for loader in [] if calls else source.calls(LOADER):
        if last_name(argument(loader, -1, "collate_fn")) == function.name and EACH in way[:1]:
            yield from _followed(source, argument(loader, 0, "dataset"), way, steps)
            return
    if not calls or any(is_open(call) for call in calls):
        raise UnknownError
    for call in calls:
        yield from _followed(source, source.given(function, call, node.arg), way, steps)


def _is_object_of(source: Module, func: ast.expr, method: Function) -> bool:
    owner = source.class_of(method)
    if owner is None or last_name(func) in source.classes:
        return False
    return any(last_name(made.func) == owner.node.name for made in makers(source, func))


def _of_attribute(source: Module, node: ast.Attribute, way: Way, steps: int) -> Iterator[ast.expr]:
    values = source.attribute(node)
    if not values and not (isinstance(node.value, ast.Name) and node.value.id == "self"):
        for made in makers(source, node.value):
            found = class_made(source, made)
            if found is not None and found[0] is source:
                given = field(found[1].node, made, node.attr)
                values = [*values, *found[1].attributes.get(node.attr, [given] if given is not None else [])]
    if not values:
        yield from _itself(node, way)
    for each in values:
        yield from _followed(source, each, way, steps)


def _itself(node: ast.expr, way: Way) -> Iterator[ast.expr]:
    """What made a tensor, of which no more than rows are taken."""
    if any(isinstance(each, str) and each != EACH for each in way):
        raise UnknownError
    yield node


def _of_display(source: Module, node: ast.expr, way: Way, steps: int) -> Iterator[ast.expr]:
    taken, *rest = way
    chosen: list[ast.expr | None] = []
    if isinstance(node, ast.Dict):
        keys = [constant(each) for each in node.keys]
        chosen = [node.values[keys.index(taken)]] if taken in keys else []
        chosen = [*node.values] if taken == EACH else chosen
    elif isinstance(node, ast.ListComp | ast.GeneratorExp):
        chosen = [node.elt]
    elif isinstance(node, ast.Tuple | ast.List):
        if any(isinstance(each, ast.Starred) for each in node.elts):
            raise UnknownError
        whole = type(taken) is int and -len(node.elts) <= taken < len(node.elts)
        chosen = [node.elts[taken]] if whole and isinstance(taken, int) else [*node.elts]
    items, others = _put_in(source, node, taken)
    if not chosen and not items and not others:
        raise UnknownError
    for each in [*chosen, *items]:
        yield from _followed(source, each, tuple(rest), steps)
    for each in others:
        yield from _followed(source, each, way, steps)


def _put_in(source: Module, made: ast.expr, key: object) -> tuple[list[ast.expr], list[ast.expr]]:
    """(items, what all items are taken of) that the file puts into a list or a dictionary once it is made;
    of a dictionary those of one key.
    """
    above = source.parent[made]
    targets = above.targets if isinstance(above, ast.Assign) else []
    targets = [above.target] if isinstance(above, ast.AnnAssign) else targets
    known = [each for each in targets if isinstance(each, ast.Name | ast.Attribute)]
    items: list[ast.expr] = []
    others: list[ast.expr] = []
    for call in source.called_as(*ONE_MORE, *ALL_MORE) if known else ():
        if call.args and any(_is_same(source, getattr(call.func, "value", None), each) for each in known):
            (items if last_name(call.func) in ONE_MORE else others).append(call.args[-1])
    for grown in source.of(ast.AugAssign) if known else ():
        others += [grown.value for each in known if _is_same(source, grown.target, each)]
    for node in source.of(ast.Subscript) if known else ():
        given = source.parent[node]
        if isinstance(given, ast.Assign) and node in given.targets and key in (EACH, constant(node.slice)):
            items += [given.value for each in known if _is_same(source, node.value, each)]
    return items, others


def _is_same(source: Module, node: ast.expr | None, target: ast.expr) -> bool:
    """Whether a name, or an attribute of any object, may be the one that was given a value."""
    if isinstance(node, ast.Attribute) and isinstance(target, ast.Attribute):
        return node.attr == target.attr
    return (
        isinstance(node, ast.Name)
        and last_name(target) == node.id
        and source.scope(target) in (source.tree, source.scope(node))
    )


def _of_call(source: Module, call: ast.Call, way: Way, steps: int) -> Iterator[ast.expr]:
    name, dotted = last_name(call.func), source.name(call.func)
    first = call.args[0] if call.args else None
    rest = way[1:]
    if dotted == LOADER:
        yield from _of_loader(source, call, way, steps)
    elif name in EMPTY and way and (first is None or name == "defaultdict"):
        yield from _of_display(source, call, way, steps)
    elif dotted in ("random.choice", "random.sample", "random.choices"):
        yield from _followed(source, first, (EACH, *way) if name == "choice" else way, steps)
    elif dotted == "builtins.zip" and isinstance(first, ast.Starred) and way and type(way[0]) is int:
        yield from _followed(source, first.value, (EACH, way[0], *rest[1:]), steps)
    elif name in PASSED_ON and first is not None:
        one = name == "next"
        yield from _followed(source, first, (EACH, *way) if one else way, steps)
    elif dotted == "builtins.enumerate" and way[1:2] == (1,):
        yield from _followed(source, first, (EACH, *way[2:]), steps)
    elif (dotted == "builtins.zip" or name == "TensorDataset") and rest and type(rest[0]) is int:
        given = call.args[rest[0]] if rest[0] < len(call.args) else None
        yield from _followed(source, given, (EACH, *rest[1:]), steps)
    elif name == "random_split":
        yield from _followed(source, first, rest, steps)
    elif name == "items" and isinstance(call.func, ast.Attribute) and way[1:2] == (1,):
        yield from _followed(source, call.func.value, (EACH, *way[2:]), steps)
    elif name in ("values", "popleft") and isinstance(call.func, ast.Attribute) and not call.args:
        yield from _followed(source, call.func.value, way if name == "values" else (EACH, *way), steps)
    elif name in SAME_TYPE and isinstance(call.func, ast.Attribute) and not _converts(source, call):
        yield from _followed(source, call.func.value, way, steps)
    else:
        yield from _of_own(source, call, way, steps)


def _of_loader(source: Module, call: ast.Call, way: Way, steps: int) -> Iterator[ast.expr]:
    """What the function that joins samples to a batch returns, else what the data set gives."""
    collate = argument(call, -1, "collate_fn")
    if collate is None or not way:
        yield from _followed(source, argument(call, 0, "dataset"), way, steps)
        return
    function = source.functions.get(last_name(collate))
    if function is None or not isinstance(collate, ast.Name):
        raise UnknownError
    for each in returned(function):
        yield from _followed(source, each, way[1:], steps)


def _converts(source: Module, call: ast.Call) -> bool:
    """Whether `.to(...)` is given a type."""
    given = [*call.args, *(each.value for each in call.keywords if each.arg == "dtype")]
    return any(source.name(each).startswith("torch.") for each in given) or _of_torch(source, call)


def _of_torch(source: Module, call: ast.Call) -> bool:
    return source.name(call.func).startswith("torch.")


def _of_own(source: Module, call: ast.Call, way: Way, steps: int) -> Iterator[ast.expr]:
    """What a function, a data set or a module of the file gives; another call made the value itself."""
    called = source.called(call)
    function = called[1] if called is not None and called[0] is source else None
    owner = class_made(source, call) if function is None else None
    if owner is not None and owner[0] is source:
        function = _gives_items(owner[1])
        way = way if function is not None and _yields(function) else way[1:]
    elif function is None:
        made = [class_made(source, each) for each in {*makers(source, call.func)} if each is not call]
        classes = [each[1] for each in made if each is not None and each[0] is source]
        function = classes[0].methods.get("forward") if len(classes) == 1 else None
    if function is None:
        if owner is not None and way:
            raise UnknownError
        yield from _itself(call, way)
        return
    yielded = _yields(function)
    results = yielded or [each.value for each in own_nodes(function) if isinstance(each, ast.Return)]
    if not results:
        raise UnknownError
    for each in results:
        yield from _followed(source, each, way[1:] if yielded else way, steps)


def _gives_items(owner: Class) -> Function | None:
    return owner.methods.get("__getitem__") or owner.methods.get("__iter__")


def _yields(function: Function) -> list[ast.expr | None]:
    return [each.value for each in own_nodes(function) if isinstance(each, ast.Yield)]
