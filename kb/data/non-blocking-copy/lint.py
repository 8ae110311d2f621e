"""A copy to the host with non_blocking=True that is read before it has arrived."""

import ast

from torchwhy.lint.patterns import argument, assigned, constant, end, method, position, text, values_by, wrong

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
        target = copied_to(module, call) if constant(argument(call, -1, "non_blocking")) is True else ""
        uses = [
            node
            for node in (module.by_type[ast.Name] if target else ())
            if node.id == target
            and isinstance(node.ctx, ast.Load)
            and module.scope(node) is module.scope(call)
            and position(node) > end(call)
            and method(module.parent.get(node)) != "save_for_backward"  # which only keeps it for later
        ]
        for use in uses[:1]:
            if not any(end(call) < position(each) < position(use) for each in module.methods(*WAITS)):
                yield wrong(call, copy=text(call), read=text(module.statement(use), 60))


def copied_to(module, call):
    """The name that holds the copy on the host; "" where the copy goes elsewhere."""
    if call.func.attr == "copy_":
        pinned = (
            constant(argument(value, -1, "pin_memory")) is True or text(value.func).endswith("pin_memory")
            for value in values_by(module, call.func.value)
        )
        return text(call.func.value) if any(pinned) else ""
    where = argument(call, 0, "device") if call.func.attr == "to" else None
    to_host = (
        call.func.attr == "cpu" or constant(where) == "cpu" or "device('cpu')" in text(where or call.func)
    )
    return assigned(module, call) if to_host else ""
