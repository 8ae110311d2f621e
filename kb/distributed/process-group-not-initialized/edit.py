"""Calls of torch.distributed in the order that they need."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.module import Module
from torchwhy.source.nodes import inside, last_name
from torchwhy.source.roles import bare_call, block_of, loaded, stored


def call_of_init(line: FailingLine, values: Values) -> LineEdit | None:
    calls = line.calls("init_process_group")
    return line.shown(calls[0].lineno) if len(calls) == 1 else None


def in_order(line: FailingLine, values: Values) -> LineEdit | None:
    """The set-up moved in front of the failing statement, or the clean-up behind it, in one block."""
    source, statement = line.source, line.statement()
    if source is None or statement is None:
        return None
    block = block_of(source, statement)
    at = block.index(statement)
    begins = [each for each in block[at + 1 :] if _begins(source, each)]
    if not begins and line.callers and line.callers[0].file == source.path:
        above = line.caller()
        return in_order(above, values) if above is not None else None
    if len(begins) == 1 and len(line.calls("init_process_group")) == 1:
        between = block[at : block.index(begins[0])]
        if loaded(begins[0]) & {name for each in between for name in stored(each)}:
            return None
        edit = line.moved(begins, before=statement)
        return alone(edit)
    ends = [each for each in block[:at] if _is_call(each, "destroy_process_group")]
    if len(ends) == 1 and len(line.calls("destroy_process_group")) == 1:
        last = [each for each in block[at:] if _uses(source, each)][-1:]
        edit = line.moved(ends, behind=last[0] if last else statement)
        return alone(edit)
    return None


def only_once(line: FailingLine, values: Values) -> LineEdit | None:
    """A second set-up, only where there is none."""
    statement = line.failing
    call = bare_call(statement)
    if call is None or last_name(call.func) != "init_process_group":
        return None
    module = ast.unparse(call.func).rpartition(".")[0]
    return alone(line.wrapped([statement], f"if not {module}.is_initialized():") if module else None)


def _begins(source: Module, statement: ast.stmt) -> bool:
    """Whether a statement calls the set-up, or a function of the file that does."""
    call = bare_call(statement)
    if call is None or last_name(call.func) == "init_process_group":
        return call is not None
    called = source.called(call)
    return called is not None and any(
        last_name(each.func) == "init_process_group" for each in inside(called[1], ast.Call)
    )


def _is_call(statement: ast.stmt, name: str) -> bool:
    call = bare_call(statement)
    return call is not None and last_name(call.func) == name


def _is_distributed(source: Module, call: ast.Call) -> bool:
    return source.name(call.func).startswith("torch.distributed.")


def _uses(source: Module, statement: ast.stmt) -> bool:
    return any(isinstance(each, ast.Call) and _is_distributed(source, each) for each in ast.walk(statement))
