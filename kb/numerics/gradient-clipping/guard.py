"""Clipping at a moment when it does nothing: before the gradients are there, after the step, or of scaled ones."""

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


class Guard:
    def __init__(self, watch):
        self.watch = watch
        self.clip_at, self.since_backward, self.since_step, self.unscaled = None, False, False, False
        self.times, self.stale, self.scaled_clip = 0, False, None

    def on_clip(self, args, kwargs, at):
        self.clip_at, self.clipped_at_step, self.since_backward = at, self.watch.step, True
        self.stale = not self.unbacked  # no backward since the last step: these were used
        if not self.unscaled and self.unbacked:
            self.scaled_clip = at

    unbacked = False

    def on_backward(self, loss, at):
        self.unbacked, self.since_backward = True, False

    def on_unscale(self, args, kwargs, at):
        self.unscaled = True

    def on_scaler_step(self, args, kwargs, at):
        enabled = getattr(args[0], "_enabled", True)
        if enabled and self.scaled_clip and not self.unscaled:
            self.watch.report("scaled", self.scaled_clip)
        self.unscaled, self.scaled_clip = False, None

    def on_stepped(self, stepped, at):
        wrong = self.clip_at is not None and not self.since_backward and self.stale
        self.times = self.times + 1 if wrong else 0
        if self.times == TIMES:
            self.watch.report("early", self.clip_at, times=TIMES)
        self.unbacked = False
