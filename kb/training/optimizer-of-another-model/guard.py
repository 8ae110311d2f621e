"""An optimizer none of whose parameters ever has a gradient, while it steps."""

STEPS = 3
MESSAGES = {
    "nothing": (
        "{optimizer} (made at line {made}) steps for the {steps}th time and none of its {count} parameters ever had a gradient: it moves nothing",
        "{optimizer}（第 {made} 行创建）已第 {steps} 次 step，而它的 {count} 个参数从未有过梯度：什么也没有更新",
    )
}


class Guard:
    def __init__(self, watch):
        self.watch, self.without = watch, {}

    def on_stepped(self, stepped, at):
        count = self.without.get(id(stepped), 0)
        if count < 0:
            return
        held = stepped.parameters()
        if any(one.grad is not None for one in held):
            self.without[id(stepped)] = -1
            return
        self.without[id(stepped)] = count + 1
        if count + 1 == STEPS:
            self.watch.report(
                "nothing", at, optimizer=stepped.name, made=stepped.at[1], steps=STEPS, count=len(held)
            )
