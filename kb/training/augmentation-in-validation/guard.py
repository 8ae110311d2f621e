"""The items that a model is evaluated on change from one reading to the next."""

from torchwhy_watch import Watching, same

MESSAGES = {
    "random": (
        "the items of {dataset}, on which the model is evaluated, are drawn anew at each reading: is the training's augmentation on?",
        "用于评估的 {dataset} 每次读取的样本都不同：训练用的数据增强是否也开着？",
    ),
}
PLACES = (0, 1, 2)


class Guard(Watching):
    def on_items(self, items):
        if not items.evaluated:
            return
        for place in PLACES:
            first, again, other = (items.read(place, seed) for seed in (0, 0, 1))
            if not first or not same(first[:1], again[:1]):
                return
            if not same(first[:1], other[:1]):
                self.report("random", items.at, dataset=type(items.dataset).__name__)
                return
