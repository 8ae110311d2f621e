"""Clipping at a moment when it does nothing: before the gradients are there, after the step, or of scaled ones."""

from torchwhy_watch import Watching

MESSAGES = {
    "early": (
        "the gradients are clipped before backward() makes them: in {times} steps nothing was clipped between backward() and step()",
        "在 backward() 产生梯度之前就做了裁剪：连续 {times} 步中，backward() 与 step() 之间都没有裁剪",
    ),
    "scaled": (
        "the gradients are clipped while they carry the loss scale: call scaler.unscale_(optimizer) before",
        "裁剪时梯度还带着损失缩放系数：应先调用 scaler.unscale_(optimizer)",
    ),
}
TIMES = 3


class Guard(Watching):
    def begin(self):
        self.clip_at, self.since_backward, self.unscaled, self.unbacked = None, False, False, False
        self.stale, self.scaled_clip = False, None

    def on_clip(self, args, kwargs, at):
        self.clip_at, self.since_backward = at, True
        self.stale = not self.unbacked  # no backward since the last step: these were used
        if not self.unscaled and self.unbacked:
            self.scaled_clip = at

    def on_backward(self, loss, at):
        self.unbacked, self.since_backward = True, False

    def on_unscale(self, args, kwargs, at):
        self.unscaled = True

    def on_scaler_step(self, args, kwargs, at):
        if getattr(args[0], "_enabled", True) and self.scaled_clip and not self.unscaled:
            self.report("scaled", self.scaled_clip)
        self.unscaled, self.scaled_clip = False, None

    def on_stepped(self, stepped, at):
        wrong = self.clip_at is not None and not self.since_backward and self.stale
        if self.in_a_row("early", wrong) == TIMES:
            self.report("early", self.clip_at, times=TIMES)
        self.unbacked = False
