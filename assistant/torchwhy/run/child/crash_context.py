"""What stood at the line that failed: the names of the expression, each with its dtype, shape and device.

One file that needs the standard library and whatever torch the program has imported (Python 3.8 to 3.14),
since it runs inside the program. It never looks at the values of data, calls no code of the program but
`len`, and imports nothing of torchwhy. `torchwhy run` loads it where an exception was raised;
`torchwhy.install()`, the notebook and the pytest plugin import it.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
from itertools import islice
from json.encoder import JSONEncoder
from time import time
from types import (
    FrameType,
    FunctionType,
    GetSetDescriptorType,
    ModuleType,
    TracebackType,
    WrapperDescriptorType,
)
from typing import Any, Callable, Dict, Iterator, List, Optional, Set, Tuple

MAX_OF_PROCESS = 8  # files
MAX_ERRORS, MAX_FRAMES, MAX_OPERANDS = 4, 40, 16
MAX_MESSAGE_CHARS, MAX_CODE_CHARS = 4000, 400
MAX_WORD_CHARS = 200  # of the last one, which is left out where it was cut
MAX_KEY_CHARS = 40  # of `table["..."]`
MAX_SOURCE_LINES = 40  # of one expression
MAX_FILE_LINES = 20_000  # that are read for a statement
MAX_NAMED_PARTS = 4000  # modules and parameters that are looked through for a name
MAX_ELEMENTS, MAX_PARAMETERS = 6, 4
TABLES = ("_parameters", "_buffers", "_modules")  # of what a module holds
MAX_INTEGER = 10**9
CONTAINERS = (str, bytes, list, tuple, dict, set, frozenset)
PLAIN = frozenset((str, bytes, int, float, bool, type(None)))  # what shows itself without code of the program
ASKS = frozenset(("locals", "vars", "f_locals"))  # what a function has its own names by
CO_OPTIMIZED = 1  # of a function's code: a module's names, and a class's, are no copy
OWN_REFERENCES = 3  # to a frame's names: the frame's, and two in `names_of`
FETCH = os.path.join("torch", "utils", "data", "_utils", "fetch.py")  # reads the samples of a batch
NO_FILES = ("<frozen ", "<__array_function__ ")  # what code of Python's and NumPy's has in place of a file
PACKAGES = ("site-packages", "dist-packages")
# This file, and the one that loaded it (hooks.py), whose hooks stand in a program's tracebacks.
OWN_FILES = (sys._getframe().f_code.co_filename, sys._getframe(1).f_code.co_filename)

# What a class is called and stores, as Python keeps it: an attribute would be its metaclass's to give, which
# may be the program's.
NAME, QUALNAME, MODULE, MRO, STORED = (
    type.__dict__["__%s__" % name].__get__ for name in ("name", "qualname", "module", "mro", "dict")
)

Described = Dict[str, Any]


written = 0  # files of this process


def write(folder: str, how: str, value: BaseException, trace: Optional[TracebackType]) -> str:
    """Describe an exception in a file of its own in `folder`; returns its path.

    A process that loses a thread for each request keeps the first few, and the last.
    """
    global written
    data = JSONEncoder().encode(context(value, trace, how)).encode()
    name = "%s/crash-%d-%d" % (folder, os.getpid(), min(written, MAX_OF_PROCESS - 1))
    written += 1
    number = os.open(name + ".part", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        while data:
            data = data[os.write(number, data) :]
    finally:
        os.close(number)
    os.rename(name + ".part", name + ".json")
    return name + ".json"


def context(
    value: BaseException,
    trace: Optional[TracebackType] = None,
    how: str = "uncaught",
) -> Described:
    """The exception and those that it came from, the last one first; of each the frames and the operands."""
    errors: List[Described] = []
    seen: List[int] = []
    error: Optional[BaseException] = value
    while error is not None and id(error) not in seen and len(errors) < MAX_ERRORS:
        seen.append(id(error))
        own = trace if error is value and trace is not None else _kept(error, "__traceback__")
        errors.append(_error(error, own))
        cause = _kept(error, "__cause__")  # it may have a `__bool__` of its own
        hides = cause is not None or _kept(error, "__suppress_context__")
        error = cause if hides else _kept(error, "__context__")
    threading = sys.modules.get("threading")
    return {
        "how": how,
        "rank": _rank(),
        "thread": _safely(lambda: threading.current_thread().name) if threading else "MainThread",
        "time": time(),
        "executable": sys.executable or "",
        "errors": errors,
    }


def _kept(error: BaseException, name: str) -> Any:
    """What Python itself keeps with an exception, whatever its class makes of attributes."""
    return getattr(BaseException, name).__get__(error)


def _rank() -> Optional[int]:
    text = os.environ.get("RANK", "")
    return int(text) if text.isdigit() else None


def _error(error: BaseException, trace: Optional[TracebackType]) -> Described:
    steps = []
    while trace is not None:
        steps.append((trace.tb_frame, trace.tb_lasti, trace.tb_lineno))
        trace = trace.tb_next
    steps = steps[-MAX_FRAMES:]
    frames = [_safely(_frame, frame, line) or {} for frame, _, line in steps]
    users = [number for number, frame in enumerate(frames) if frame and not frame["library"]]
    place = users[-1] if users else None
    if frames:
        number = -1 if place is None else place
        frames[number].update(_safely(_marked, *steps[number][:2]) or {})
    message = str(error) if _runs_no_code_of_the_program(error) else ""
    return {
        "exception": _class(error),
        "message": _beginning(message, MAX_MESSAGE_CHARS),
        "frames": frames,
        "here": place,
        "operands": _safely(lambda: _operands_of(steps, place)) or [],
        "sample": _safely(_sample, [frame for frame, _, _ in steps]),
    }


def _sample(frames: List[FrameType]) -> Any:
    """The index or key of the sample that a `DataLoader` was reading; None where it was reading none."""
    keys = [names_of(frame).get("idx") for frame in frames if frame.f_code.co_filename.endswith(FETCH)]
    return next(
        (key for key in keys if type(key) is int or (type(key) is str and len(key) <= MAX_KEY_CHARS)), None
    )


def _runs_no_code_of_the_program(error: BaseException) -> bool:
    """Whether `str(error)` is Python's own doing: the program's may take its time, or count its calls."""
    made = next(stored["__str__"] for stored in _stored(error) if "__str__" in stored)
    return type(made) is WrapperDescriptorType and all(type(each) in PLAIN for each in _kept(error, "args"))


def _beginning(text: str, most: int) -> str:
    """The beginning of a text, without the word that was cut: half a key is not known as one."""
    if len(text) <= most:
        return text
    kept = most - MAX_WORD_CHARS
    return text[:kept] + text[kept:most].rpartition(" ")[0]


def _safely(made: Callable[..., Any], *given: Any) -> Any:
    """What `made` gives; None where it raises: an object may be in any state when a program crashes."""
    try:
        return made(*given)
    except Exception:
        return None


def _is(value: Any, kinds: Any) -> bool:
    """`isinstance`, which would ask an object's own `__class__`."""
    return issubclass(type(value), kinds)


def _first(value: Any) -> List[Any]:
    """The first items of a list, a tuple or a dictionary, as those store them."""
    if _is(value, dict):
        return list(islice(dict.values(value), MAX_ELEMENTS))
    base = list if _is(value, list) else tuple
    return list(base.__getitem__(value, slice(MAX_ELEMENTS)))


def _stored(value: Any) -> List[Any]:
    """What the classes of an object store, the nearest first."""
    return [STORED(kind) for kind in MRO(type(value))]


def _has(value: Any, name: str) -> bool:
    """`hasattr` that runs no property and no `__getattr__`."""
    return name in _own(value) or any(name in stored for stored in _stored(value))


def _own(value: Any) -> Dict[str, Any]:
    """What an object stores, by name; nothing where its class has a `__dict__` of its own making."""
    for stored in _stored(value):
        if "__dict__" in stored:
            if type(stored["__dict__"]) is not GetSetDescriptorType:
                return {}
            break
    try:
        own = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        return {}
    return own if type(own) is dict else {}


def names_of(frame: FrameType) -> Dict[str, Any]:
    """A copy of a frame's own names.

    Before 3.13 Python keeps what it makes of them with the frame, and with it each tensor that the program
    lets go of later: that is emptied, unless the program has it as well, or a debugger that writes it back.
    A function that asks for it (`config = locals()`) would find what it took out of it there again.
    """
    code = frame.f_code
    asked = ASKS.intersection(code.co_names)
    if "@py_builtins" in code.co_names:  # pytest writes `locals()` into every function that asserts
        asked -= {"locals"}
    if sys.version_info < (3, 13) and code.co_flags & CO_OPTIMIZED and asked:
        return {}
    made = frame.f_locals
    names = dict(made)
    snapshot = type(made) is dict and frame.f_code.co_flags & CO_OPTIMIZED
    if snapshot and sys.gettrace() is None and sys.getprofile() is None:
        if sys.getrefcount(made) <= OWN_REFERENCES:
            made.clear()
    return names


# --- where it is


def is_library(path: str) -> bool:
    """Whether the file of a frame (`co_filename`) is of Python, of an installed package, of torch wherever it
    was built, or of torchwhy's hook: the import system lets its name begin with a folder that these are
    imported from. Folders of the program may be called anything.
    """
    if path in OWN_FILES or path.startswith(NO_FILES):
        return True
    files = [getattr(sys.modules.get(name), "__file__", None) for name in ("os", "torch")]
    folders = [os.path.dirname(file) for file in files if file]
    folders += [
        one for one in sys.path if type(one) is str and os.path.basename(one.rstrip(os.sep)) in PACKAGES
    ]
    return path.startswith(tuple(folder.rstrip(os.sep) + os.sep for folder in folders))


def _frame(frame: FrameType, line: int) -> Described:
    code = frame.f_code
    name = code.co_filename
    return {
        "file": name,
        "line": line,
        "function": getattr(code, "co_qualname", code.co_name),
        "code": _beginning(linecache.getline(name, line, frame.f_globals).strip(), MAX_CODE_CHARS),
        "library": is_library(name),
    }


def _position(frame: FrameType, last: int) -> Optional[Tuple[int, int, int, int]]:
    """Where the expression stands that was being evaluated, as Python 3.11 and later know it: its first and
    last line, then its columns in bytes.
    """
    positions = getattr(frame.f_code, "co_positions", None)
    if positions is None or last < 0:
        return None
    found: Any = next(islice(positions(), last // 2, None), (None,))
    return None if None in found or not 0 <= found[1] - found[0] < MAX_SOURCE_LINES else found


def _marked(frame: FrameType, last: int) -> Described:
    """That expression, and where it stands in the stripped line (begin, end; -1 where it goes on in another
    line).
    """
    position, lines = _position(frame, last), _lines(frame)
    if position is None or position[1] > len(lines):
        return {}
    first, end, column, end_column = position
    raw = [line.encode("utf-8") for line in lines[first - 1 : end]]
    raw[-1] = raw[-1][:end_column]
    head = raw[0][:column].decode("utf-8", "replace")
    raw[0] = raw[0][column:]
    text = b"".join(raw).decode("utf-8", "replace")
    begin = len(head.lstrip())
    return {"expression": text, "columns": [begin, begin + len(text) if first == end else -1]}


def _lines(frame: FrameType) -> List[str]:
    return linecache.getlines(frame.f_code.co_filename, frame.f_globals)


def _nodes(frame: FrameType, last: int, line: int) -> List[List[ast.AST]]:
    """The expression that was being evaluated, and the innermost statement at the line, of a loop or a branch
    only its head; nothing where there is no source.
    """
    lines = _lines(frame)
    if not 0 < line <= len(lines) <= MAX_FILE_LINES:
        return []
    first, end, column, end_column = _position(frame, last) or (0, len(lines) + 1, 0, 0)
    expression: List[ast.AST] = []
    statement: Optional[ast.stmt] = None
    for node in ast.walk(ast.parse("".join(lines))):  # what stands within another comes behind it
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            statement = node
        elif isinstance(node, ast.expr) and (node.lineno, node.col_offset) <= (first, column):
            if (end, end_column) <= (node.end_lineno or 0, node.end_col_offset or 0):
                expression = [node]
    parts = ast.iter_child_nodes(statement) if statement is not None else ()
    return [expression, [part for part in parts if not isinstance(part, (ast.stmt, ast.ExceptHandler))]]


# --- what stood there


def _operands_of(steps: List[Tuple[FrameType, int, int]], place: Optional[int]) -> List[Described]:
    """The operands in the user's frame, then those of the innermost frame that are other objects."""
    if not steps:
        return []
    result: List[Described] = []
    seen: List[int] = []
    parts: Dict[int, str] = {}
    if place is not None:
        found = _values(*steps[place])
        parts = _named_parts(found + _locals(steps[place][0]))
        for name, value in found:
            _add(result, seen, name, value)
    if place is None or place < len(steps) - 1:
        frame, last, line = steps[-1]
        owner = parts.get(id(names_of(frame).get("self")), "")
        within = "%s:%d" % (os.path.basename(frame.f_code.co_filename), line)
        for name, value in _values(frame, last, line):
            known = parts.get(id(value))
            if known is None and (not _telling(value) or _holds_only(value, seen)):
                continue
            _add(result, seen, known or name, value, owner if known is None else "", within)
    return result


def _telling(value: Any) -> bool:
    """Whether a value of a library's frame is worth showing: tensors and what holds them."""
    tensor = getattr(sys.modules.get("torch"), "Tensor", ())
    if _is(value, (list, tuple)):
        return any(_is(item, tensor) for item in _first(value))
    return _is(value, tensor) or _is_array(value)


def _holds_only(value: Any, seen: List[int]) -> bool:
    """Whether it is a list of objects that are shown already: autograd packs the loss into a tuple."""
    return _is(value, (list, tuple)) and all(id(item) in seen for item in _first(value))


def _add(
    result: List[Described],
    seen: List[int],
    name: str,
    value: Any,
    owner: str = "",
    within: str = "",
) -> None:
    if len(result) >= MAX_OPERANDS or any(item["name"] == name and not within for item in result):
        return
    if id(value) in seen and not _is(value, (int, float, str, type(None))):
        if owner:  # the user's own operand is what the failing layer was given
            result[seen.index(id(value))].update({"into": owner, "within": within})
        return
    described = _safely(describe, value)
    if described is not None:
        seen.append(id(value))
        told = {"of": owner, "within": within}
        result.append({"name": name, **described, **{key: text for key, text in told.items() if text}})


def _values(frame: FrameType, last: int, line: int) -> List[Tuple[str, Any]]:
    """(name as the source has it, object) of the expression, or where it shows none of the statement; without
    source, the tensors among the locals.
    """
    scopes = (names_of(frame), frame.f_globals)
    groups = [group for group in _safely(_nodes, frame, last, line) or [] if group]
    for group in groups:
        found = [pair for node in group for pair in _leaves(node, scopes) if _shown(pair[1])]
        if found:
            return found
    return [] if groups else [pair for pair in _locals(frame) if _telling(pair[1])]


def _locals(frame: FrameType) -> List[Tuple[str, Any]]:
    """The names that the source itself can hold: not what pytest calls the parts of an assert
    (`@py_assert7`), nor a comprehension its iterator (`.0`).
    """
    return [(name, value) for name, value in list(names_of(frame).items())[:200] if name.isidentifier()]


def _shown(value: Any) -> bool:
    if _is(value, (ModuleType, FunctionType, type)):
        return False
    return not callable(value) or _has(value, "_parameters") or _has(value, "param_groups")


Scopes = Tuple[Dict[str, Any], Dict[str, Any]]


def _leaves(node: ast.AST, scopes: Scopes) -> Iterator[Tuple[str, Any]]:
    """The names, attributes and items of an expression that can be looked up, from left to right."""
    found = _looked_up(node, scopes)
    if found is None or (isinstance(node, ast.Attribute) and _is(found[1], FunctionType)):
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, (ast.Lambda, ast.FunctionDef)):
                for leaf in _leaves(child, scopes):
                    yield leaf
        return
    yield found
    if isinstance(node, ast.Subscript):  # what it was taken from tells as well
        yield _looked_up(node.value, scopes) or found


def _looked_up(node: ast.AST, scopes: Scopes) -> Optional[Tuple[str, Any]]:
    """(name as the source has it, object) where it is found without running any code of the program."""
    if isinstance(node, ast.Name):
        return next(((node.id, names[node.id]) for names in scopes if node.id in names), None)
    owner = _looked_up(node.value, scopes) if isinstance(node, (ast.Attribute, ast.Subscript)) else None
    if owner is None:
        return None
    if isinstance(node, ast.Attribute):
        name, value = "%s.%s" % (owner[0], node.attr), _attribute(owner[1], node.attr)
    else:
        index: Any = node.slice  # type: ignore[attr-defined]
        index = index.value if type(index).__name__ == "Index" else index  # before Python 3.9
        if isinstance(index, ast.Constant):
            key: Any = index.value
            shown = repr(key) if isinstance(key, (int, str)) else "..."
        else:
            shown, key = (_looked_up(index, scopes) if isinstance(index, ast.Name) else None) or ("", None)
            if not _is(key, (int, str)):
                return None
        # whole or not: half a secret is not known as one
        name = "%s[%s]" % (owner[0], shown if len(shown) <= MAX_KEY_CHARS else "...")
        value = _item(owner[1], key)
    return None if value is MISSING else (name, value)


MISSING = object()


def _item(value: Any, key: Any) -> Any:
    base = next((kind for kind in (dict, list, tuple) if _is(value, kind)), None)
    try:
        return base.__getitem__(value, key) if base is not None else MISSING
    except (LookupError, TypeError):
        return MISSING


def _attribute(value: Any, name: str) -> Any:
    """An attribute that is simply stored: no property is run, no `__getattr__` asked."""
    own = _own(value)
    tables: List[Any] = [own, *map(own.get, TABLES)]
    for stored in tables:
        if _is(stored, dict) and name in stored:
            return stored[name]
    for stored in _stored(value):
        if name in stored:
            return MISSING if any("__get__" in each for each in _stored(stored[name])) else stored[name]
    return MISSING


def _parts(value: Any) -> Iterator[Tuple[Tuple[str, ...], str, Any]]:
    """(the keys that lead there, the table, the part) of all that a module holds, itself first, each module
    once: it may hold itself, by way of a child that knows its parent.
    """
    todo: List[Tuple[Tuple[str, ...], Any]] = [((), value)]
    seen: Set[int] = set()
    while todo and len(seen) < MAX_NAMED_PARTS:
        path, module = todo.pop(0)
        if id(module) in seen:
            continue
        seen.add(id(module))
        yield path, "_modules", module
        own = _own(module)
        for table in TABLES:
            stored: Any = own.get(table)
            for key, part in stored.items() if _is(stored, dict) else ():
                if part is not None and table == "_modules":
                    todo.append((path + (str(key),), part))
                elif part is not None:
                    yield path + (str(key),), table, part


def _named_parts(found: List[Tuple[str, Any]]) -> Dict[int, str]:
    """The names by which the user's line reaches modules and parameters: id -> `self.fc1.weight`."""
    roots = [(name, value) for name, value in found if _has(value, "_modules")]
    result = {id(value): name for name, value in reversed(roots)}
    for name, value in roots:
        for path, _, part in _parts(value):
            if len(result) >= MAX_NAMED_PARTS:
                break
            keys = ("[%s]" % key if key.isdigit() else "." + key for key in path)
            result.setdefault(id(part), name + "".join(keys))
    return result


# --- descriptions


def describe(value: Any, deep: bool = True) -> Described:
    """What an object is: of a tensor dtype, shape, device and what autograd knows; never its values."""
    torch = sys.modules.get("torch")
    if torch is not None and _is(value, getattr(torch, "Tensor", ())):
        return _tensor(value, torch)
    if torch is not None and {"_parameters", "_modules"} <= _own(value).keys():
        return _module(value)
    if _has(value, "param_groups") and _has(value, "step"):
        return _optimizer(value)
    if _has(value, "num_workers") and _has(value, "dataset"):
        return _loader(value)
    if value is None:
        return {"kind": "none"}
    if _is(value, bool):
        return {"kind": "bool", "value": value}
    if _is(value, int):
        whole = int.__add__(value, 0)  # of a class of the program's own as well
        return {"kind": "int", "value": whole} if abs(whole) < MAX_INTEGER else {"kind": "int"}
    if _is(value, float):
        return {"kind": "float", "value": float.__repr__(value)}
    if _is_array(value):
        return {"kind": "array", "dtype": str(value.dtype), "shape": [int(size) for size in value.shape]}
    if torch is not None and _is(value, (torch.device, torch.dtype)):
        return {"kind": NAME(type(value)), "value": str(value)}
    return _container(value, deep) or {"kind": "object", "class": _class(value)}


def _class(value: Any) -> str:
    module, name = MODULE(type(value)), QUALNAME(type(value))
    return name if module in ("builtins", "__main__", None) else "%s.%s" % (module, name)


def _is_array(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and _is(value, getattr(numpy, "ndarray", ()))


def _container(value: Any, deep: bool) -> Optional[Described]:
    base = next((kind for kind in CONTAINERS if _is(value, kind)), None)
    if base is None:
        return None
    result: Described = {"kind": NAME(type(value)), "length": base.__len__(value)}
    if deep and base in (list, tuple, dict):
        items = _first(value)
        if any(_telling(item) for item in items):
            result["elements"] = [describe(item, False) for item in items]
    return result


def _tensor(value: Any, torch: Any) -> Described:
    """Read below any subclass's own handling of attributes."""
    plain = getattr(torch._C, "DisableTorchFunctionSubclass", None) or torch._C.DisableTorchFunction
    with plain():
        kind = "parameter" if isinstance(value, torch.nn.Parameter) else "tensor"
        result: Described = {
            "kind": kind,
            "dtype": str(value.dtype).replace("torch.", ""),
            "shape": _safely(_sizes, value),
            "device": str(value.device),
            "requires_grad": bool(value.requires_grad),
            "leaf": bool(value.is_leaf),
        }
        if type(value) not in (torch.Tensor, torch.nn.Parameter):
            result["class"] = _class(value)
        layout = str(value.layout).replace("torch.", "")
        if layout != "strided":
            result["layout"] = layout
        elif _safely(value.is_contiguous) is False:
            result["stride"] = _safely(lambda: [int(step) for step in value.stride()])
        if value.requires_grad and not value.is_leaf:
            function = _safely(lambda: value.grad_fn)
            result["grad_fn"] = type(function).__name__ if function is not None else None
    return result


def _sizes(value: Any) -> List[int]:
    return [int(size) for size in value.shape]


def _module(value: Any) -> Described:
    own = _own(value)
    if "training" not in own:  # of a compiled module, whose state is the one's in it
        own = _own(own.get("_modules", {}).get("_orig_mod", value))
    result: Described = {
        "kind": "module",
        "class": QUALNAME(type(value)),
        "training": own.get("training") is True,
    }
    if str(MODULE(type(value))).startswith("torch."):
        result["settings"] = (_safely(value.extra_repr) or "")[:200]
    named: List[Any] = []
    facts: List[Tuple[str, str]] = []
    count = 0
    for path, table, part in _parts(value):
        if table == "_parameters" and count < MAX_NAMED_PARTS:
            count += 1
            facts.append((str(part.device), str(part.dtype).replace("torch.", "")))
            if len(named) < MAX_PARAMETERS:
                named.append([".".join(path), _safely(_sizes, part)])
    devices, dtypes = ([*dict.fromkeys(kind)][:4] for kind in zip(*facts)) if facts else ([], [])
    result.update(parameters=named, parameter_count=count, devices=devices, dtypes=dtypes)
    return result


def _optimizer(value: Any) -> Described:
    groups = value.param_groups[:MAX_ELEMENTS]
    return {
        "kind": "optimizer",
        "class": QUALNAME(type(value)),
        "groups": len(value.param_groups),
        "lrs": [_safely(lambda group: float(group["lr"]), group) for group in groups],
        "parameter_counts": [len(group["params"]) for group in groups],
    }


def _loader(value: Any) -> Described:
    return {
        "kind": "loader",
        "class": QUALNAME(type(value)),
        "batch_size": _safely(lambda: value.batch_size),
        "workers": _safely(lambda: value.num_workers),
        "dataset": QUALNAME(type(value.dataset)),
        "dataset_length": _safely(lambda: len(value.dataset)),
    }
