"""Calls of torch.distributed in the order that they need."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values
from torchwhy.source.module import Module
from torchwhy.source.nodes import last_name
from torchwhy.source.roles import block_of, loaded, stored

ALONE = {"get_rank": "0", "get_world_size": "1"}
TOGETHER = (
    "DistributedDataParallel",
    "DDP",
    "FullyShardedDataParallel",
    "DistributedSampler",
    "spawn",
    "all_gather",
    "broadcast",
)
ENVIRONMENT = ("RANK", "LOCAL_RANK", "WORLD_SIZE")


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
    begins = [each for each in block[at + 1 :] if _is_call(each, "init_process_group")]
    if len(begins) == 1 and len(line.calls("init_process_group")) == 1:
        between = block[at : block.index(begins[0])]
        if loaded(begins[0]) & {name for each in between for name in stored(each)}:
            return None
        edit = line.moved(begins, before=statement)
        return edit._replace(alone=True) if edit is not None else None
    ends = [each for each in block[:at] if _is_call(each, "destroy_process_group")]
    if len(ends) == 1 and len(line.calls("destroy_process_group")) == 1:
        last = [each for each in block[at:] if _uses(source, each)][-1:]
        edit = line.moved(ends, behind=last[0] if last else statement)
        return edit._replace(alone=True) if edit is not None else None
    return None


def without_a_group(line: FailingLine, values: Values) -> LineEdit | None:
    """In a file that sets up no group and is written for one process: the rank of that, and no waiting."""
    source, statement = line.source, line.statement()
    if source is None or statement is None or line.uses("init_process_group", *TOGETHER):
        return None
    if any(each.value in ENVIRONMENT for each in source.of(ast.Constant)):
        return None
    calls = [
        each for each in ast.walk(statement) if isinstance(each, ast.Call) and _is_distributed(source, each)
    ]
    if len(calls) != 1:
        return None
    name, module = last_name(calls[0].func), ast.unparse(calls[0].func).rpartition(".")[0]
    ready = f"{module}.is_initialized()" if module else ""
    if not ready:
        return None
    if name == "barrier" and isinstance(statement, ast.Expr):
        edit = line.wrapped([statement], f"if {ready}:")
        return edit._replace(alone=True) if edit is not None else None
    place = source.place_of(calls[0])
    if name not in ALONE or place is None:
        return None
    new = f"{place.written} if {ready} else {ALONE[name]}"
    value = getattr(statement, "value", None)
    return LineEdit(place, place.with_text(new if value is calls[0] else f"({new})"), alone=True)


def only_once(line: FailingLine, values: Values) -> LineEdit | None:
    """A second set-up, only where there is none."""
    statement = line.statement()
    if statement is None or not _is_call(statement, "init_process_group"):
        return None
    assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    module = ast.unparse(statement.value.func).rpartition(".")[0]
    edit = line.wrapped([statement], f"if not {module}.is_initialized():") if module else None
    return edit._replace(alone=True) if edit is not None else None


def _is_call(statement: ast.stmt, name: str) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and last_name(call.func) == name


def _is_distributed(source: Module, call: ast.Call) -> bool:
    return source.name(call.func).startswith("torch.distributed.")


def _uses(source: Module, statement: ast.stmt) -> bool:
    return any(isinstance(each, ast.Call) and _is_distributed(source, each) for each in ast.walk(statement))
