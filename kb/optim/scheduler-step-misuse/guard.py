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
}
LENGTHS = {"CosineAnnealingLR": "T_max", "PolynomialLR": "total_iters"}  # those that go on to the end
FEWEST_BATCHES, FEWEST_EPOCHS = 4, 2


class Guard(Watching):
    def begin(self):
        self.seen, self.begun, self.batches = {}, 0, 0

    def on_loader(self, loader, at):
        self.begun = len(loader) if hasattr(type(loader.dataset), "__len__") else 0

    def on_stepped(self, stepped, at):
        self.batches = self.begun

    def on_scheduler(self, args, kwargs, at):
        scheduler = args[0]
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
