"""lr_scheduler.step() in front of the first optimizer.step()."""

import ast

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{call}` comes before the optimizer's first step: the first learning rate is skipped",
    "zh": "`{call}` 在优化器第一次更新之前执行：会跳过第一个学习率",
}
FIX = {
    "en": "call it after optimizer.step(), at the end of the epoch or step",
    "zh": "在 optimizer.step() 之后调用，即 epoch 或步的末尾",
}
IN_REPRO = "scheduler.step()"


def find(module):
    for loop in [*module.by_type[ast.For], *module.by_type[ast.While]] if "step(" in module.text else ():
        if module.loops(loop):
            continue
        its = [
            each for each in p.events(module, loop.body) if each.what in ("step", "scale_step", "schedule")
        ]
        if len({event.what for event in its}) > 1 and its[0].what == "schedule" and not its[0].sometimes:
            first = its[0]
            seen = p.wrong if p.kind(first.module, first.node.func.value) == "scheduler" else p.look
            if not first.node.args:
                yield seen(first.place(module), call=p.text(first.node))
