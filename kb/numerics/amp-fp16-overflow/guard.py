"""An inf that is one in float16 only."""

from torchwhy_watch import Watching

MESSAGES = {
    "overflow": (
        "{name} gives {value} in float16, whose greatest number is 65504: use bfloat16, or keep this part in float32",
        "{name} 在 float16 中得到 {value}（最大只能表示 65504）：改用 bfloat16，或让这部分保持 float32",
    ),
    "scale": (
        "the loss scale fell to {scale}: nearly every step has gradients that overflow, and is skipped",
        "损失缩放系数降到 {scale}：几乎每一步的梯度都溢出并被跳过",
    ),
}
UPDATES, LEAST = 20, 1.0


class Guard(Watching):
    def on_not_finite(self, facts):
        if not facts.claimed and facts.cause == "here" and str(facts.dtype) == "torch.float16":
            facts.claimed = True
            self.report("overflow", facts.at, facts.step, name=facts.name, value=float(facts.value))

    def on_scaler_update(self, args, kwargs, at):
        scale = getattr(args[0], "_scale", None)
        if self.in_a_row("updates") % UPDATES == 0 and scale is not None:
            self.watch.later.ask(scale.detach(), lambda value: self._scale(value, at))

    def _scale(self, value, at):
        if value < LEAST:
            self.report("scale", at, scale=float(value))
