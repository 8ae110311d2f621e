"""Under what a node runs: without gradients, on one rank only."""

from __future__ import annotations

import ast
import re

from .module import Module
from .nodes import Function, argument, constant, position

NO_GRAD = ("torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad")
RANK = re.compile(
    r"\b(global_|local_|world_)?rank\b|get_rank\(|is_main_process|is_master|is_main\b|\bgpu == 0"
)
MAX_DEPTH = 3


def is_no_grad(module: Module, node: ast.AST) -> bool:
    """Whether an expression is a context or a decorator without gradients."""
    call = node.func if isinstance(node, ast.Call) else node
    name = module.name(call)
    if name == "torch.set_grad_enabled" and isinstance(node, ast.Call):
        return constant(argument(node, 0, "mode")) is not True
    return name in NO_GRAD or name.endswith((".no_grad", ".inference_mode", ".eval_mode"))


def without_gradients(module: Module, node: ast.AST, depth: int = MAX_DEPTH) -> bool:
    """Whether no graph is recorded there: a `with`, a decorator, set_grad_enabled(False) before it in the
    file, or callers in this file are so.
    """
    function: Function | None = None
    for above in module.above(node):
        if isinstance(above, ast.With | ast.AsyncWith):
            if any(is_no_grad(module, item.context_expr) for item in above.items):
                return True
        elif isinstance(above, Function):
            if any(is_no_grad(module, each) for each in above.decorator_list):
                return True
            function = function or above
    none: list[ast.Call] = []
    off = module.once("gradients off", module.tree, none, lambda: _turned_off(module))
    if off and position(off[0]) < position(node):
        return True
    if function is None or depth <= 0:
        return False
    around: Function = function
    # once for each function: the callers of callers would multiply
    return module.once(
        f"without gradients {depth}",
        around,
        False,
        lambda: any(
            without_gradients(module, call, depth - 1)
            for call in module.calls_of(around)
            if module.function(call) is not around
        ),
    )


def _turned_off(module: Module) -> list[ast.Call]:
    calls = module.calls("torch.set_grad_enabled", "torch.autograd.set_grad_enabled")
    return [call for call in calls if isinstance(module.parent.get(call), ast.Expr)]


def rank_branch(module: Module, node: ast.AST) -> ast.If | None:
    """The `if rank == 0:` of the same function in whose body the node stands."""
    child = node
    for above in module.above(node):
        if isinstance(above, Function):
            return None
        if isinstance(above, ast.If) and child in above.body and _one_rank(above.test):
            return above
        child = above
    return None


def _one_rank(test: ast.expr) -> bool:
    text = ast.unparse(test)
    if not RANK.search(text):
        return False
    if isinstance(test, ast.Compare):
        return (
            any(isinstance(op, ast.Eq | ast.NotEq) for op in test.ops) and constant(test.comparators[0]) == 0
        )
    if isinstance(test, ast.BoolOp):
        return isinstance(test.op, ast.And) and any(_one_rank(value) for value in test.values)
    return (isinstance(test, ast.Call | ast.Name | ast.Attribute) and "main" in text) or "master" in text
