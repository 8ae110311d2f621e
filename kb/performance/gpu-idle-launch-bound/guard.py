"""The program waits for the accelerator several times in each step, for a good part of its time."""

from torchwhy_watch import Watching, perf_counter

MESSAGES = {
    "waits": (
        "the program waits for the accelerator's results {count} times a step, {all_ms} of {step_ms} ms ({share}%), most of it here: {kind}, {line_count} a step, {line_ms} ms; read values rarely, and add up on the device until then",
        "程序每步 {count} 次等待加速器的结果，每步 {step_ms} 毫秒中占 {all_ms} 毫秒（{share}%），多半在此行：{kind}，每步 {line_count} 次，{line_ms} 毫秒；应少读数值，平时在设备上累加",
    )
}
FIRST, WINDOW = 5, 20  # steps that pay for start and compilation; steps that are looked at together
LEAST_EACH, LEAST_SHARE, LEAST_STEPS = 3, 0.2, 0.75
KINDS = {f"__{name}__": f"{name}()" for name in ("bool", "int", "float", "index", "format")}
KINDS["__repr__"] = "print()"


class Guard(Watching):
    always = ("on_stepped",)

    def begin(self):
        self.steps, self.told = [], False
        self.at, self.count, self.seconds = 0.0, 0, 0.0

    def on_stepped(self, stepped, at):
        watch = self.watch
        if not watch.syncs_seen or self.told:
            return
        now = perf_counter()
        if watch.step < FIRST or not self.at:
            watch.syncs.clear()
        else:
            taken = max(now - self.at, 1e-9)
            self.steps.append((watch.sync_count - self.count, watch.sync_s - self.seconds, taken))
        self.at, self.count, self.seconds = now, watch.sync_count, watch.sync_s
        if len(self.steps) >= WINDOW:
            self._judge()
            self.steps = []
            watch.syncs.clear()

    def _judge(self):
        """Most steps wait, each on its own: a validation between two steps is none of theirs."""
        steps, each = len(self.steps), lambda value, of: "%.3g" % (value / of)
        waiting = [one for one in self.steps if one[0] >= LEAST_EACH and one[1] >= LEAST_SHARE * one[2]]
        if len(waiting) < LEAST_STEPS * steps or not self.watch.syncs:
            return
        (at, name), (times, seconds) = max(self.watch.syncs.items(), key=lambda pair: pair[1][1])
        count, waited, taken = map(sum, zip(*waiting))
        self.told = True
        self.report(
            "waits",
            at,
            count=each(count, len(waiting)),
            all_ms=each(1000 * waited, len(waiting)),
            step_ms=each(1000 * taken, len(waiting)),
            share="%.0f" % (100 * waited / taken),
            line_ms=each(1000 * seconds, steps),
            line_count=each(times, steps),
            kind=KINDS.get(name, name + "()"),
        )
