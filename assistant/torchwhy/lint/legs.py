"""The program that one leg of an entry's script is: its flags and functions put in where they are used.

A script's two legs share their code and differ in an argument (`train(clear=False)`). A rule is proved on
what each leg runs, so the argument is followed into the code: constants fold branches, lambdas are applied,
functions that the leg never reaches are left out. Lines and columns stay those of the script.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence

from torchwhy.source.module import Module

LEGS = ("broken", "fixed")
MAX_ROUNDS = 8
Given = Mapping[str, "ast.expr | Sequence[ast.expr] | Sequence[ast.keyword]"]


def leg_module(path: str, text: str, leg: str) -> Module:
    """The module of one leg (broken or fixed) of a script. Raises SyntaxError, ValueError."""
    tree = ast.parse(text)
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    if leg not in functions:
        raise ValueError(f"{path} defines no {leg}()")
    for node in tree.body:
        if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
            tree.body.remove(node)
            break
    _follow(tree, functions, functions[leg])
    _drop_unreached(tree, leg)
    ast.fix_missing_locations(tree)
    return Module(path, text, tree)


def _follow(tree: ast.Module, functions: Mapping[str, ast.FunctionDef], leg: ast.FunctionDef) -> None:
    """Put the arguments of each function's call into its body, from the leg downwards; of several calls only
    where they give the same.
    """
    _drop_unreached(tree, leg.name)
    done: set[str] = {leg.name}
    _Fold().visit(leg)
    for _ in range(MAX_ROUNDS):
        calls: dict[str, list[ast.Call]] = {}
        callers: dict[str, set[str]] = {}
        for top in tree.body:
            for node in ast.walk(top):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in functions
                ):
                    calls.setdefault(node.func.id, []).append(node)
                    callers.setdefault(node.func.id, set()).add(getattr(top, "name", ""))
        # a function comes when all that call it have been told what they are given
        ready = [
            name
            for name, found in calls.items()
            if name not in done
            and callers[name] <= {*done, ""}
            and len({ast.dump(call) for call in found}) == 1
        ]
        if not ready:
            return
        for name in ready:
            done.add(name)
            given = _given(functions[name], calls[name][0])
            _Put(given).visit(functions[name])
            _Fold().visit(functions[name])
        _drop_unreached(tree, leg.name)


def _given(function: ast.FunctionDef, call: ast.Call) -> Given:
    """What the call gives for the parameters that the function never binds anew."""
    bound = {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    given: dict[str, ast.expr | Sequence[ast.expr] | Sequence[ast.keyword]] = {}
    for name, default in zip(names[::-1], function.args.defaults[::-1], strict=False):
        given[name] = default
    if not any(isinstance(each, ast.Starred) for each in call.args):
        given.update(zip(names, call.args, strict=False))
        if function.args.vararg:
            given[function.args.vararg.arg] = call.args[len(names) :]
    given.update({each.arg: each.value for each in call.keywords if each.arg in names})
    if function.args.kwarg:
        given[function.args.kwarg.arg] = [each for each in call.keywords if each.arg not in names]
    plain = (ast.Constant, ast.Lambda, ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Set, ast.Dict, list)
    return {name: value for name, value in given.items() if name not in bound and isinstance(value, plain)}


class _Put(ast.NodeTransformer):
    """Parameters exchanged for what was given."""

    def __init__(self, given: Given) -> None:
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self.given.get(node.id)
        if isinstance(node.ctx, ast.Load) and isinstance(value, ast.expr):
            return copy.deepcopy(value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.args = [inner for arg in node.args for inner in self._spread(arg)]
        keywords: list[ast.keyword] = []
        for each in node.keywords:
            spread = self.given.get(each.value.id) if isinstance(each.value, ast.Name) else None
            if each.arg is None and isinstance(spread, list):
                keywords += copy.deepcopy(spread)
            else:
                keywords.append(each)
        node.keywords = keywords
        return self.generic_visit(node)

    def _spread(self, arg: ast.expr) -> Sequence[ast.expr]:
        if isinstance(arg, ast.Starred) and isinstance(arg.value, ast.Name):
            spread = self.given.get(arg.value.id)
            if isinstance(spread, list):
                return list(copy.deepcopy(spread))
        return [arg]


class _Fold(ast.NodeTransformer):
    """Branches of constants taken, lambdas applied."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        test = _truth(node.test)
        if test is None:
            return node
        return (node.body if test else node.orelse) or [ast.copy_location(ast.Pass(), node)]

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        test = _truth(node.test)
        return node if test is None else node.body if test else node.orelse

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Lambda) and not node.keywords:
            names = [arg.arg for arg in node.func.args.args]
            if len(names) == len(node.args):
                body: ast.AST = copy.deepcopy(node.func.body)
                put: ast.AST = _Put(dict(zip(names, node.args, strict=True))).visit(body)
                return put
        return node


def _truth(test: ast.expr) -> bool | None:
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _truth(test.operand)
        return None if inner is None else not inner
    return None


def _drop_unreached(tree: ast.Module, leg: str) -> None:
    """Leave out the functions and classes that neither the leg nor the top of the file names."""
    defined = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    reached: set[str] = set()
    queue: list[ast.AST] = [
        node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    queue.append(defined[leg])
    reached.add(leg)
    while queue:
        for node in ast.walk(queue.pop()):
            if isinstance(node, ast.Name) and node.id in defined and node.id not in reached:
                reached.add(node.id)
                queue.append(defined[node.id])
    tree.body = [
        node
        for node in tree.body
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name in reached
    ]
