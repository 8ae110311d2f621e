"""A schedule that is told its length in epochs and stepped with each batch, or the other way round."""

from torchwhy_watch import Watching

MESSAGES = {
    "each_batch": (
        "{name} is told {told} and was stepped {steps} times, with each of {batches} batches in {told} epochs: its length is in epochs, its steps are not",
        "{name} 设定的长度是 {told}，却走了 {steps} 步：{told} 个 epoch、每个 epoch {batches} 个 batch，每个 batch 都走了一步。长度按 epoch 计，步数却不是",
    ),
    "each_epoch": (
        "{name} is told {told} steps, those of {batches} batches in {steps} epochs, and was stepped {steps} times: it went through 1/{batches} of its way",
        "{name} 设定的长度是 {told} 步，即 {steps} 个 epoch、每个 {batches} 个 batch，却只走了 {steps} 步：只走完了全程的 1/{batches}",
    ),
    "mode": (
        "ReduceLROnPlateau waits for {better} values, and what it gets here has gone the other way in each of the first {count} steps, while the loss fell: mode='{other}'?",
        "ReduceLROnPlateau 期待{better}的值，而这里给它的值在前 {count} 步里一直反向变化，同时损失在下降：是否应设 mode='{other}'？",
    ),
}
LENGTHS = {
    "CosineAnnealingLR": "T_max",
    "PolynomialLR": "total_iters",
    "OneCycleLR": "total_steps",
}  # those that go on to the end
FEWEST_BATCHES, FEWEST_EPOCHS = 4, 2
CALLS = 4
OTHER = {"min": ("smaller", "越来越小", "max"), "max": ("larger", "越来越大", "min")}


class Guard(Watching):
    def begin(self):
        self.seen, self.begun, self.batches = {}, 0, 0
        self.metrics, self.losses = {}, []

    def on_loader(self, loader, at):
        self.begun = len(loader) if hasattr(type(loader.dataset), "__len__") else 0

    def on_stepped(self, stepped, at):
        self.batches = self.begun

    def on_loss_value(self, value, at, step):
        self.losses.append(value)

    def _on_metric(self, scheduler, metric, at):
        """Whether the metric gets worse by its mode from the first call on, while training goes well."""
        metrics = self.metrics.setdefault(id(scheduler), [])
        losses, self.losses = self.losses, []
        if len(metrics) < CALLS and losses:
            metrics.append((float(metric), sum(losses) / len(losses)))
            values, means = zip(*metrics)
            signs = {(b - a) * (1 if scheduler.mode == "min" else -1) > 0 for a, b in zip(values, values[1:])}
            if len(metrics) == CALLS and signs == {True} and means[-1] < means[0]:
                english, chinese, other = OTHER[scheduler.mode]
                better = chinese if self.watch.language == "zh" else english
                self.report("mode", at, better=better, count=CALLS, other=other)

    def on_scheduler(self, args, kwargs, at):
        scheduler = args[0]
        if type(scheduler).__name__ == "ReduceLROnPlateau":
            self._on_metric(scheduler, args[1] if len(args) > 1 else kwargs["metrics"], at)
        told = vars(scheduler).get(LENGTHS.get(type(scheduler).__name__))
        stepped = self.watch.optimizers.get(id(getattr(scheduler, "optimizer", None)))
        if type(told) is int and stepped is not None and getattr(scheduler, "_step_count", 0):
            self.seen[id(scheduler)] = [type(scheduler).__name__, told, scheduler.last_epoch + 1, stepped, at]

    def on_end(self):
        for name, told, steps, stepped, at in self.seen.values():
            epochs, rest = divmod(stepped.steps, self.batches or 1)
            if rest or epochs < FEWEST_EPOCHS or self.batches < FEWEST_BATCHES:
                continue
            if told == epochs and steps == stepped.steps:
                self.report("each_batch", at, name=name, told=told, steps=steps, batches=self.batches)
            elif told == stepped.steps and steps == epochs:
                self.report("each_epoch", at, name=name, told=told, steps=steps, batches=self.batches)
