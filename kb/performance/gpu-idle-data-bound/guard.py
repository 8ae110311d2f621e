"""Most of the time goes into waiting for the loader."""

from torchwhy_watch import Watching, perf_counter

MESSAGES = {
    "waits": (
        "of {seconds} s in the loop over this loader {share}% were spent waiting for it, {each} ms a batch",
        "在遍历此数据加载器的 {seconds} 秒里，{share}% 的时间在等它，每批 {each} 毫秒",
    )
}
LEAST_SHARE, LEAST_S, LEAST_EACH_S, BATCHES = 0.7, 5.0, 0.02, 30


class Loader:
    """The time in the loops over one data set: waiting for batches, and all of it."""

    def __init__(self):
        self.at, self.waited, self.spent, self.batches, self.begun = ("?", 0), 0.0, 0.0, 0, False


class Guard(Watching):
    def begin(self):
        self.loaders, self.last, self.mark = {}, None, 0.0

    def on_loader(self, loader, at):
        self.loaders.setdefault(id(loader.dataset), Loader()).at = at

    def on_batch(self, iterator, batch, seconds):
        now = perf_counter()
        one = self.loaders.setdefault(id(iterator._dataset), Loader())
        same, self.last = one is self.last, one
        since, self.mark = now - self.mark, now
        if not one.begun:
            one.begun = True  # the first batch pays for the start of the workers
            return
        one.waited += seconds
        one.spent += since if same else seconds
        one.batches += 1
        least = max(LEAST_S, LEAST_SHARE * one.spent, LEAST_EACH_S * one.batches)
        if one.batches >= BATCHES and one.waited > least and self.watch.backwards:
            share, each = "%.0f" % (100 * one.waited / one.spent), 1000 * one.waited / one.batches
            self.report("waits", one.at, share=share, seconds=one.spent, each=each)
