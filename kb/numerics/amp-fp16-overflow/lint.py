"""Half precision without loss scaling, or a scaler that is not used to the end."""

# the script scales by hand, without autocast
import ast

from torchwhy.lint.events import training_loops
from torchwhy.lint.kinds import kind
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import wrong

AUTOCASTS = ("torch.autocast", "torch.amp.autocast", "torch.cuda.amp.autocast")

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
    for loop, events in training_loops(module):
        scaled = [event for event in events if event.what == "backward" and is_scaled(event)]
        stepped = [
            event
            for event in events
            if event.what == "step" and kind(event.module, event.node.func.value) == "optimizer"
        ]
        if scaled and stepped and not any(event.what == "scale_step" for event in events):
            yield wrong(
                stepped[0].place(module),
                code=ast.unparse(stepped[0].node),
                problem=(
                    "steps with gradients that are still multiplied by the loss scale",
                    "用仍乘有损失缩放因子的梯度更新",
                ),
            )
        if (
            any(event.what == "scale_step" for event in events)
            and not any(event.what == "update" for event in events)
            and ".update(" not in module.text
        ):
            last = next(event for event in events if event.what == "scale_step")
            yield wrong(
                last.place(module),
                code=ast.unparse(last.node),
                problem=(
                    "scaler.update() is never called, so the scale never adapts",
                    "从未调用 scaler.update()，缩放因子不会调整",
                ),
            )
        if not scaled and not scales_elsewhere(module, events):
            yield from unscaled(module, loop)


def is_scaled(event):
    inner = event.node.func.value if isinstance(event.node.func, ast.Attribute) else None
    return (
        isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr == "scale"
    )


def scales_elsewhere(module, events):
    """Whether something that the file is given may scale: a `loss_scaler`, or an `accelerator.backward(loss)`."""
    return "scaler" in module.text.lower() or any(
        event.what == "backward" and event.node.args for event in events
    )


def unscaled(module, loop):
    for node in ast.walk(loop):
        for item in node.items if isinstance(node, ast.With) else ():
            call = item.context_expr
            if isinstance(call, ast.Call) and module.name(call.func) in AUTOCASTS and is_half(module, call):
                yield wrong(
                    call,
                    code=ast.unparse(call),
                    problem=(
                        "float16 without a GradScaler: small gradients round to 0",
                        "float16 而没有 GradScaler：小梯度会舍入为 0",
                    ),
                )


def is_half(module, call):
    """Whether autocast surely uses float16."""
    dtype = argument(call, -1, "dtype")
    enabled = argument(call, -1, "enabled")
    if enabled is not None and constant(enabled) is not True:
        return False
    if dtype is not None:
        return module.name(dtype) in ("torch.float16", "torch.half")
    device = argument(call, 0, "device_type")
    return module.name(call.func) == "torch.cuda.amp.autocast" or constant(device) == "cuda"
