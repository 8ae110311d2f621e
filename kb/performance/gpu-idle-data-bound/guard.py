"""Most of the time goes into waiting for the loader."""

MESSAGES = {
    "waits": (
        "{share} % of the time since the first batch ({seconds} s) was spent waiting for this loader, {each} ms a batch",
        "自第一个批次起 {share} % 的时间（{seconds} 秒）在等待此数据加载器，每批 {each} 毫秒",
    )
}
LEAST_SHARE, LEAST_S, LEAST_EACH_S, BATCHES = 0.7, 5.0, 0.02, 30


class Guard:
    def __init__(self, watch):
        self.watch, self.at, self.waited, self.batches, self.begun = watch, ("?", 0), 0.0, 0, None

    def on_loader(self, loader, at):
        self.at = at

    def on_batch(self, iterator, batch, seconds):
        import time

        now = time.perf_counter()
        if self.begun is None:
            self.begun = now  # the first batch pays for the start of the workers
            return
        self.waited += seconds
        self.batches += 1
        share = self.waited / max(now - self.begun, 1e-9)
        if (
            self.batches >= BATCHES
            and self.waited > LEAST_S
            and share > LEAST_SHARE
            and self.waited > LEAST_EACH_S * self.batches
        ):
            if self.watch.backwards:
                self.watch.report(
                    "waits",
                    self.at,
                    share="%.0f" % (100 * share),
                    seconds=self.waited,
                    each=1000 * self.waited / self.batches,
                )
