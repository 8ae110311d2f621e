"""Items that a model is evaluated on are among those it is trained on."""

from time import thread_time

from torchwhy_watch import Watching

MESSAGES = {
    "shared": (
        "{shared} of {count} items of {dataset}, which is evaluated here, are in the data that are trained on as well",
        "{dataset} 在此处用于评估，抽查的 {count} 个样本中有 {shared} 个也在训练数据里",
    ),
}
LOOKED, MOST, MAX_S = 64, 20_000, 3.0
LEAST, LEAST_SHARE, LEAST_NUMBERS = 3, 0.05, 4


class Guard(Watching):
    def on_items(self, items):
        if not items.evaluated or items.trained is None:
            return
        until = thread_time() + MAX_S
        looked = self._inputs(items, items.dataset, LOOKED, until)
        if len(set(looked)) < 0.9 * len(looked):
            return  # few different items are possible
        trained = set(self._inputs(items, items.trained, MOST, until))
        shared = sum(one in trained for one in looked)
        everything = shared == len(looked) and len(items.trained) == len(items.dataset)
        if shared >= max(LEAST, LEAST_SHARE * len(looked)) and not everything:
            told = {"shared": shared, "count": len(looked), "dataset": type(items.dataset).__name__}
            self.report("shared", items.at, **told)

    def _inputs(self, items, dataset, most, until):
        """The numbers of the first large enough tensor of so many items, spread over all of them."""
        found, size = [], len(dataset)
        for place in range(0, size, max(size // most, 1)):
            parts = items.read(place, seed=0, dataset=dataset) if thread_time() < until else []
            first = next((one for one in parts if one.numel() >= LEAST_NUMBERS), None)
            found += [hash(first.contiguous().numpy().tobytes())] if first is not None else []
        return found
