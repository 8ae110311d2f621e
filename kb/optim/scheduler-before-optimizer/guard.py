"""A scheduler's step before the first step of its optimizer: the first learning rate is never used."""

MESSAGES = {
    "before": (
        "{scheduler}.step() came before the first optimizer.step(): the first learning rate ({first}) is never used",
        "{scheduler}.step() 先于第一次 optimizer.step()：最初的学习率（{first}）从未使用",
    )
}


class Guard:
    def __init__(self, watch):
        self.watch, self.early, self.scaled = watch, {}, False

    def on_scaler_step(self, args, kwargs, at):
        self.scaled = True  # it may leave out the first steps, which is as it should be

    def on_scheduler(self, args, kwargs, at):
        scheduler = args[0]
        optimizer = getattr(scheduler, "optimizer", None)
        stepped = self.watch.optimizers.get(id(optimizer))
        # a scheduler steps once within its own __init__; fast-forwarding is many steps in a row
        if stepped is None or stepped.steps or getattr(scheduler, "_step_count", 0) < 1:
            return
        if getattr(scheduler, "last_epoch", 0) > 0 and id(optimizer) not in self.early:
            return
        rates = getattr(scheduler, "base_lrs", [0.0])
        kept = self.early.setdefault(id(optimizer), [at, type(scheduler).__name__, float(rates[0]), 0])
        kept[3] += 1

    def on_stepped(self, stepped, at):
        kept = self.early.pop(id(stepped.ref()), None)
        if kept is not None and kept[3] == 1 and not self.scaled:
            self.watch.report("before", kept[0], scheduler=kept[1], first=kept[2])
