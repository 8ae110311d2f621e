"""What happens in which order: the calls of a training loop, those of helpers in the project included."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from .kinds import kind
from .module import Module
from .nodes import Function, argument, children, position, words

MAX_DEPTH = 3  # calls of helpers that are followed
CLIPS = ("torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad_value_", "torch.nn.utils.clip_grad_norm")
METHODS = words("zero_grad backward step unscale_ update eval train clip_grad_norm_ manual_backward")
Loop = ast.For | ast.AsyncFor | ast.While


@dataclass(frozen=True, slots=True)
class Event:
    """One call. `what`: zero_grad, backward, step, schedule, scale_step, unscale, update, clip, eval, train.

    `on`: what it is called on, as the caller writes it. `at`: the call in the file that is checked, `node`:
    the call itself, which may stand in a helper. `sometimes`: it stands in a branch.
    """

    what: str
    on: str
    node: ast.Call
    at: ast.AST
    module: Module
    sometimes: bool = False

    def place(self, module: Module) -> ast.AST:
        """Where to report it in this file: the call itself, or the call of the other file's helper."""
        return self.node if self.module is module else self.at


def events(
    module: Module, statements: Sequence[ast.AST], depth: int = MAX_DEPTH, names: dict[str, str] | None = None
) -> list[Event]:
    """The events of these statements in the order in which they are written, which is that of one pass."""
    found: list[Event] = []
    for call, sometimes in _calls(module, statements):
        called = module.called(call)
        own = called is not None and called[0] is module  # and may be named as a method of torch's
        event = None if own else _event(module, call, sometimes, names or {})
        if event:
            found.append(event)
        elif called is not None and depth > 0:
            home, function = called
            inner = events(home, function.body, depth - 1, _given(function, call, names or {}))
            found += [replace(each, at=call, sometimes=each.sometimes or sometimes) for each in inner]
    return found


def _calls(module: Module, statements: Iterable[ast.AST]) -> Iterator[tuple[ast.Call, bool]]:
    """Calls in the order of evaluation (arguments before the call), and whether a branch holds them."""
    for node in statements:
        none: list[tuple[ast.Call, bool]] = []
        if isinstance(node, ast.stmt):  # which several loops may be around
            yield from module.once("calls", node, none, partial(_calls_of, module, node))
        elif not isinstance(node, ast.Lambda):
            yield from _calls_of(module, node)


def _calls_of(module: Module, node: ast.AST) -> list[tuple[ast.Call, bool]]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return []
    if isinstance(node, ast.If):
        inner = _calls(module, [*node.body, *node.orelse])
        return [*_calls(module, [node.test]), *((call, True) for call, _ in inner)]
    return [*_calls(module, children(node)), *([(node, False)] if isinstance(node, ast.Call) else [])]


def _given(function: Function, call: ast.Call, names: dict[str, str]) -> dict[str, str]:
    """How the caller writes what the function's parameters stand for."""
    given = {}
    parameters = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    if parameters[:1] == ["self"]:
        parameters = parameters[1:]
    for at, parameter in enumerate(parameters):
        value = argument(call, at, parameter)
        if value is not None:
            given[parameter] = written(value, names)
    return given


def written(node: ast.expr, names: dict[str, str] | None = None) -> str:
    """An expression as the caller writes it: its first name exchanged for what was given."""
    text = ast.unparse(node) if not isinstance(node, ast.Name) else node.id
    first, dot, rest = text.partition(".")
    return (names or {}).get(first, first) + dot + rest


def _event(module: Module, call: ast.Call, sometimes: bool, names: dict[str, str]) -> Event | None:
    dotted = module.name(call.func)
    if dotted in CLIPS or dotted.endswith("clip_grad_norm_"):
        return Event("clip", "", call, call, module, sometimes)
    if dotted in ("torch.autograd.backward",):
        return Event("backward", "", call, call, module, sometimes)
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in METHODS:
        return None
    if dotted.startswith("torch."):
        return None  # a function of torch, such as torch.distributed.autograd.backward
    owner, what = call.func.value, call.func.attr
    on = written(owner, names)
    if what == "step":
        what = step_kind(module, call, on)
    elif what in ("eval", "train") and (dotted.startswith(("builtins.", "torch.")) or _mode_off(call)):
        what = "eval" if _mode_off(call) else ""
    elif what in ("unscale_", "manual_backward"):
        what = {"unscale_": "unscale", "manual_backward": "backward"}[what]
    return Event(what, on, call, call, module, sometimes) if what else None


def _mode_off(call: ast.Call) -> bool:
    mode = argument(call, 0, "mode")
    return isinstance(mode, ast.Constant) and mode.value is False


def step_kind(module: Module, call: ast.Call, on: str) -> str:
    """step (of an optimizer), schedule, scale_step, or "" for another object's step."""
    assert isinstance(call.func, ast.Attribute)
    known = kind(module, call.func.value)
    if known:
        return {"optimizer": "step", "scheduler": "schedule", "scaler": "scale_step"}.get(known, "")
    last = on.rsplit(".", 1)[-1].lower()
    if "sched" in last:
        return "schedule"
    if "scaler" in last:
        return "scale_step"
    if "opt" not in last or (call.args and _is_loss(module, call.args[0])):
        return ""  # with a loss: a differentiable optimizer's, or one that calls backward() itself
    return "step"


def _is_loss(module: Module, node: ast.expr) -> bool:
    """Whether it is named as a loss, and is no function of the file: torch's step() takes a closure."""
    if not isinstance(node, ast.Name) or not node.id.lower().endswith("loss"):
        return False
    return all(each.name != node.id for each in module.of(ast.FunctionDef))


def training_loops(module: Module) -> Iterator[tuple[Loop, list[Event]]]:
    """The innermost loops of the file that call backward() and a step, with their events."""
    none: list[tuple[Loop, list[Event]]] = []
    yield from module.once("training loops", module.tree, none, lambda: _training_loops(module))


def _training_loops(module: Module) -> list[tuple[Loop, list[Event]]]:
    if "step" not in module.text:
        return []
    loops = list[Loop](module.of(ast.For, ast.AsyncFor, ast.While))
    found: list[tuple[Loop, list[Event]]] = []
    for loop in sorted(loops, key=position, reverse=True):
        if any(inner is loop or any(above is loop for above in module.above(inner)) for inner, _ in found):
            continue
        its = events(module, loop.body)
        # a helper with a loop of its own is reported there
        here = [event for event in its if event.node is event.at or not event.module.loops(event.node)]
        whats = {event.what for event in here}
        if "backward" in whats and whats & {"step", "scale_step"}:
            found.append((loop, its))
    return sorted(found, key=lambda each: position(each[0]))


def around(module: Module, loop: Loop) -> list[Event]:
    """The events of the outermost loop around a loop, or of the function that holds it."""
    above = module.loops(loop)
    return events(module, above[-1].body if above else [module.statement(loop)])
