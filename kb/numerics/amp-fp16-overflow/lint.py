"""Half precision without loss scaling, or a scaler that is not used to the end."""

# the script scales by hand, without autocast
import ast
import itertools

from torchwhy.lint import patterns as p

AUTOCASTS = ("torch.autocast", "torch.amp.autocast", "torch.cuda.amp.autocast")
STILL_SCALED = (
    "steps with gradients that are still multiplied by the loss scale",
    "用仍乘有损失缩放因子的梯度更新",
)
NO_UPDATE = (
    "scaler.update() is never called, so the scale never adapts",
    "从未调用 scaler.update()，缩放因子不会调整",
)
NO_SCALER = (
    "float16 without a GradScaler: small gradients round to 0",
    "float16 而没有 GradScaler：小梯度会舍入为 0",
)

SAYS = {
    "en": "`{code}`: {problem}",
    "zh": "`{code}`：{problem}",
}
FIX = {
    "en": "scaler.scale(loss).backward(); scaler.step(optimizer); scaler.update()",
    "zh": "scaler.scale(loss).backward(); scaler.step(optimizer); scaler.update()",
}
IN_REPRO = None


def find(module):
    if module.is_test:  # nothing is trained for its own sake
        return
    for loop, events in p.training_loops(module):
        backwards = [event for event in events if event.what == "backward"]
        scaled = any(
            p.method(event.node) and p.method(event.node.func.value) == "scale" for event in backwards
        )
        scaler = next((event for event in events if event.what == "scale_step"), None)
        plain = (event for event in events if event.what == "step")
        plain = (event for event in plain if is_optimizer(event))
        for event in itertools.islice(plain, 1) if scaled and scaler is None else ():
            yield p.wrong(event.place(module), code=p.text(event.node), problem=STILL_SCALED)
        updates = ".update(" in module.text or any(event.what == "update" for event in events)
        if scaler is not None and not updates:
            yield p.wrong(scaler.place(module), code=p.text(scaler.node), problem=NO_UPDATE)
        # a `loss_scaler`, or an `accelerator.backward(loss)`, may scale
        elsewhere = "scaler" in module.text.lower() or any(event.node.args for event in backwards)
        for block in p.inside(loop, ast.With) if not scaled and not elsewhere else ():
            for item in block.items:
                if p.is_call(module, item.context_expr, *AUTOCASTS) and is_half(module, item.context_expr):
                    yield p.wrong(item.context_expr, code=p.text(item.context_expr), problem=NO_SCALER)


def is_optimizer(event):
    """Whether an optimizer is stepped there by the loop: not by a scaler of the project's own."""
    owner = event.module.class_of(event.node)
    scales = owner is not None and "scale" in owner.methods
    return not scales and p.kind(event.module, event.node.func.value) == "optimizer"


def is_half(module, call):
    """Whether autocast surely uses float16."""
    dtype, enabled = p.argument(call, -1, "dtype"), p.argument(call, -1, "enabled")
    if enabled is not None and p.constant(enabled) is not True:
        return False
    if dtype is not None:
        return module.name(dtype) in ("torch.float16", "torch.half")
    of_cuda = module.name(call.func) == "torch.cuda.amp.autocast"
    return of_cuda or p.constant(p.argument(call, 0, "device_type")) == "cuda"
