"""Gradients that are clipped where there are none, or while they are still scaled."""

import ast

from torchwhy.lint.events import training_loops
from torchwhy.lint.module import argument
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{clip}` {problem}",
    "zh": "`{clip}` {problem}",
}
FIX = {
    "en": "clip between backward() (with AMP: scaler.unscale_) and step()",
    "zh": "在 backward()（使用 AMP 时为 scaler.unscale_）之后、step() 之前裁剪",
}
IN_REPRO = "nn.utils.clip_grad_norm_(parameters, max_norm=1.0)"


def find(module):
    for _, events in training_loops(module):
        marks = [
            event for event in events if event.what in ("backward", "step", "scale_step", "clip", "unscale")
        ]
        scaled = any(event.what == "scale_step" for event in marks)
        plain = any(event.what == "step" for event in marks)  # two branches, of which one scales
        for at, event in enumerate(marks):
            if event.what != "clip":
                continue
            before = [each for each in (*marks[at + 1 :], *marks[:at]) if each.what != "clip"]
            last = [each.what for each in before if each.what != "unscale"][-1]
            if last in ("step", "scale_step") and not any(each.sometimes for each in before):
                yield wrong(
                    event.place(module),
                    clip=ast.unparse(event.node.func),
                    problem=(
                        "stands behind step() and in front of backward(): it clips nothing that is used",
                        "位于 step() 之后、backward() 之前：裁剪的不是会被用到的梯度",
                    ),
                )
            elif (
                scaled
                and last == "backward"
                and (not plain or is_scaled(before))
                and before[-1].what != "unscale"
                and "unscale_" not in module.text
                and not is_limit_scaled(event)
            ):
                yield wrong(
                    event.place(module),
                    clip=ast.unparse(event.node.func),
                    problem=(
                        "sees gradients that are still multiplied by the loss scale (no scaler.unscale_ before it)",
                        "处理的是仍乘有损失缩放因子的梯度（之前没有 scaler.unscale_）",
                    ),
                )


def is_limit_scaled(event):
    """Whether the limit is multiplied by the same scale: `clip_grad_norm_(parameters, limit * scale)`."""
    limit = argument(event.node, 1, "max_norm", "clip_value")
    return limit is not None and "scale" in ast.unparse(limit).lower()


def is_scaled(before):
    """Whether the nearest backward() is that of a scaled loss."""
    backward = [each for each in before if each.what == "backward"][-1]
    return ".scale(" in ast.unparse(backward.node)
