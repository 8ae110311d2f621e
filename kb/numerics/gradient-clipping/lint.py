"""Gradients that are clipped where there are none, or while they are still scaled."""

from torchwhy.lint import patterns as p

NOTHING = (
    "stands behind step() and in front of backward(): it clips nothing that is used",
    "位于 step() 之后、backward() 之前：裁剪的不是会被用到的梯度",
)
STILL_SCALED = (
    "sees gradients that are still multiplied by the loss scale (no scaler.unscale_ before it)",
    "处理的是仍乘有损失缩放因子的梯度（之前没有 scaler.unscale_）",
)
WHATS = ("backward", "step", "scale_step", "clip", "unscale")

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
    for _, events in p.training_loops(module):
        marks = [event for event in events if event.what in WHATS]
        whats = {event.what for event in marks}
        for at, event in enumerate(marks):
            if event.what != "clip":
                continue
            before = [each for each in (*marks[at + 1 :], *marks[:at]) if each.what != "clip"]
            last = next(each.what for each in reversed(before) if each.what != "unscale")
            if last != "backward" and not any(each.sometimes for each in before):
                yield p.wrong(event.place(module), clip=p.text(event.node.func), problem=NOTHING)
            elif last == before[-1].what == "backward" and "scale_step" in whats:
                # with a plain step as well there are two branches, of which one scales
                of_scaled = "step" not in whats or ".scale(" in p.text(before[-1].node)
                limit = p.text(p.argument(event.node, 1, "max_norm", "clip_value")).lower()
                if of_scaled and "unscale_" not in module.text and "scale" not in limit:
                    yield p.wrong(event.place(module), clip=p.text(event.node.func), problem=STILL_SCALED)
