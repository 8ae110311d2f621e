"""The program waits for the accelerator several times in each step, for a good part of its time."""

from torchwhy_watch import perf_counter

MESSAGES = {
    "waits": (
        "the program waits for the accelerator's results {count} times a step, {all_ms} of {step_ms} ms ({share} %), most of it here: {kind}, {line_count} a step, {line_ms} ms; read values rarely, and add up on the device until then",
        "程序每步 {count} 次等待加速器的结果，每步 {step_ms} 毫秒中占 {all_ms} 毫秒（{share} %），多半在此行：{kind}，每步 {line_count} 次，{line_ms} 毫秒；应少读数值，平时在设备上累加",
    )
}
FIRST, WINDOW = 5, 20  # steps that pay for start and compilation; steps that are looked at together
LEAST_EACH, LEAST_SHARE, LEAST_STEPS = 3, 0.2, 0.75


class Guard:
    def __init__(self, watch):
        self.watch, self.steps, self.told = watch, [], False
        self.at, self.count, self.seconds = 0.0, 0, 0.0

    def on_stepped(self, stepped, at):
        watch = self.watch
        if not watch.syncs_seen or self.told:
            return
        now = perf_counter()
        if watch.step < FIRST or not self.at:
            watch.syncs.clear()
        else:
            self.steps.append(
                (watch.sync_count - self.count, watch.sync_s - self.seconds, max(now - self.at, 1e-9))
            )
        self.at, self.count, self.seconds = now, watch.sync_count, watch.sync_s
        if len(self.steps) >= WINDOW:
            self._judge()
            self.steps = []
            watch.syncs.clear()

    def _judge(self):
        """Most steps wait, each on its own: a validation between two steps is none of theirs."""
        steps = sorted(self.steps)
        waiting = [one for one in steps if one[0] >= LEAST_EACH and one[1] >= LEAST_SHARE * one[2]]
        if len(waiting) < LEAST_STEPS * len(steps) or not self.watch.syncs:
            return
        (at, name), (times, seconds) = max(self.watch.syncs.items(), key=lambda pair: pair[1][1])
        taken, waited = sum(one[2] for one in waiting), sum(one[1] for one in waiting)
        self.told = True
        self.watch.report(
            "waits",
            at,
            count="%.3g" % (sum(one[0] for one in waiting) / len(waiting)),
            all_ms="%.3g" % (1000 * waited / len(waiting)),
            step_ms="%.3g" % (1000 * taken / len(waiting)),
            share="%.0f" % (100 * waited / taken),
            line_ms="%.3g" % (1000 * seconds / len(steps)),
            line_count="%.3g" % (times / len(steps)),
            kind=KINDS.get(name, name + "()"),
        )


KINDS = {
    "__bool__": "bool()",
    "__int__": "int()",
    "__float__": "float()",
    "__index__": "index()",
    "__repr__": "print()",
    "__format__": "format()",
}
