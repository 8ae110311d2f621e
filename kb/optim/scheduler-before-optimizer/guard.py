"""A scheduler's step before the first step of its optimizer: the first learning rate is never used."""

from torchwhy_watch import Watching

MESSAGES = {
    "before": (
        "{scheduler}.step() came before the first optimizer.step(): the first learning rate ({first}) is never used",
        "{scheduler}.step() 先于第一次 optimizer.step()：最初的学习率（{first}）从未使用",
    )
}


class Guard(Watching):
    def begin(self):
        self.early, self.scaled = {}, False

    def on_scaler_step(self, args, kwargs, at):
        self.scaled = True  # it may leave out the first steps, which is as it should be

    def on_scheduler(self, args, kwargs, at):
        scheduler = args[0]
        key = id(getattr(scheduler, "optimizer", None))
        stepped = self.watch.optimizers.get(key)
        # a scheduler steps once within its own __init__; fast-forwarding is many steps in a row
        if stepped is None or stepped.steps or getattr(scheduler, "_step_count", 0) < 1:
            return
        if getattr(scheduler, "last_epoch", 0) <= 0 or key in self.early:
            first = float(getattr(scheduler, "base_lrs", [0.0])[0])
            self.early.setdefault(key, []).append((at, type(scheduler).__name__, first))

    def on_stepped(self, stepped, at):
        kept = self.early.pop(id(stepped.ref()), ())
        if len(kept) == 1 and not self.scaled:
            place, name, first = kept[0]
            self.report("before", place, scheduler=name, first=first)
