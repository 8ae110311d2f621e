"""A copy to the host with non_blocking=True that is read before it has arrived."""

import ast

from torchwhy.lint.module import argument, constant, end, position
from torchwhy.lint.rule import wrong

WAITS = ("synchronize", "wait", "wait_stream", "wait_event", "elapsed_time", "query")

SAYS = {
    "en": "`{copy}` returns before the data has arrived, and `{read}` reads it at once",
    "zh": "`{copy}` 在数据到达之前就返回，而 `{read}` 立即读取了它",
}
FIX = {
    "en": "drop non_blocking=True towards the CPU, or call `torch.cuda.synchronize()` before the first use",
    "zh": "拷到 CPU 时去掉 non_blocking=True，或在首次使用前调用 `torch.cuda.synchronize()`",
}
IN_REPRO = "host.copy_(hidden, non_blocking=True)"


def find(module):
    for call in module.methods("to", "copy_", "cpu"):
        if constant(argument(call, -1, "non_blocking")) is not True:
            continue
        target = copied_to(module, call)
        scope = module.scope(call)
        if target is None:
            continue
        uses = [
            node
            for node in module.by_type[ast.Name]
            if node.id == target
            and isinstance(node.ctx, ast.Load)
            and module.scope(node) is scope
            and position(node) > end(call)
            and not is_saved(module, node)
        ]
        waits = [position(each) for each in module.methods(*WAITS) if position(each) > end(call)]
        for use in uses[:1]:
            if not any(at < position(use) for at in waits):
                yield wrong(
                    call, copy=ast.unparse(call), read=ast.unparse(module.statement(use)).split("\n")[0][:60]
                )


def is_saved(module, node):
    """Whether a use only keeps the copy for later: ctx.save_for_backward(copy)."""
    above = module.parent.get(node)
    return (
        isinstance(above, ast.Call)
        and isinstance(above.func, ast.Attribute)
        and above.func.attr == "save_for_backward"
    )


def copied_to(module, call):
    """The name that holds the copy on the host; None where the copy goes elsewhere."""
    if call.func.attr == "copy_":
        pinned = [value for value in module.values(call.func.value) if isinstance(value, ast.Call)]
        to_host = any(
            constant(argument(value, -1, "pin_memory")) is True
            or ast.unparse(value.func).endswith("pin_memory")
            for value in pinned
        )
        return ast.unparse(call.func.value) if to_host else None
    where = argument(call, 0, "device") if call.func.attr == "to" else None
    if (
        call.func.attr == "to"
        and constant(where) != "cpu"
        and "device('cpu')" not in ast.unparse(where or call.func)
    ):
        return None
    above = module.parent.get(call)
    return (
        above.targets[0].id
        if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name)
        else None
    )
