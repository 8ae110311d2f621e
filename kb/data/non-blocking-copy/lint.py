"""A copy to the host with non_blocking=True that is read before it has arrived."""

import ast

from torchwhy.lint import patterns as p

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
        target = copied_to(module, call) if p.constant(p.argument(call, -1, "non_blocking")) is True else ""
        uses = [
            node
            for node in (module.by_type[ast.Name] if target else ())
            if node.id == target
            and isinstance(node.ctx, ast.Load)
            and module.scope(node) is module.scope(call)
            and p.position(node) > p.end(call)
            and p.method(module.parent.get(node)) != "save_for_backward"  # which only keeps it for later
        ]
        for use in uses[:1]:
            if not any(p.end(call) < p.position(each) < p.position(use) for each in module.methods(*WAITS)):
                yield p.wrong(call, copy=p.text(call), read=p.text(module.statement(use), 60))


def copied_to(module, call):
    """The name that holds the copy on the host; "" where the copy goes elsewhere."""
    if call.func.attr == "copy_":
        pinned = (
            p.constant(p.argument(value, -1, "pin_memory")) is True
            or p.text(value.func).endswith("pin_memory")
            for value in p.values_by(module, call.func.value)
        )
        return p.text(call.func.value) if any(pinned) else ""
    where = p.argument(call, 0, "device") if call.func.attr == "to" else None
    to_host = (
        call.func.attr == "cpu" or p.constant(where) == "cpu" or "device('cpu')" in p.text(where or call.func)
    )
    return p.assigned(module, call) if to_host else ""
