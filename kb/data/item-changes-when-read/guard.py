"""Reading an item writes into the data set's own arrays."""

import sys

import torch
from torchwhy_watch import Watching, on_cpu, plain

MESSAGES = {
    "written": (
        "reading an item of {dataset} writes into its own {name}: each epoch starts from what the last one left",
        "读取 {dataset} 的一个样本会改写它自己的 {name}：每个 epoch 都从上一个 epoch 改过的数据开始",
    ),
}
MAX_BYTES, MOST = 1 << 26, 64  # of all arrays; of a list's
PLACES = (0, 1, 2)


class Guard(Watching):
    def on_items(self, items):
        dataset = items.dataset
        while type(dataset).__module__.startswith("torch.") and hasattr(dataset, "dataset"):
            dataset = dataset.dataset  # of a Subset
        code = getattr(getattr(type(dataset), "__getitem__", None), "__code__", None)
        if code is None or self.watch.where.library(code.co_filename):
            return
        for place in PLACES:
            items.read(place, seed=0)  # which may fill a cache
            changes = Changes(dataset, code)
            sys.settrace(changes.called)
            try:
                items.read(place, seed=1)
            finally:
                sys.settrace(None)
            if changes.name:
                at = code.co_filename, changes.line
                self.report("written", at, dataset=type(dataset).__name__, name=changes.name)
                return


class Changes:
    """Which of an object's arrays a method changes first, and by which of its lines."""

    def __init__(self, owner, code):
        self.owner, self.code, self.name, self.line = owner, code, "", 0
        self.before = dict(sums(owner))

    def called(self, frame, event, given):
        if frame.f_code is not self.code:
            return None
        self.at = frame.f_lineno
        return self.went_on

    def went_on(self, frame, event, given):
        if not self.name:
            now = dict(sums(self.owner))
            changed = [key for key in now if now[key] != self.before.get(key, now[key])]
            if changed:
                self.name, self.line = changed[0][0], self.at
        self.at = frame.f_lineno
        return self.went_on


def sums(owner):
    """((attribute, place in it), hash of the numbers) of the arrays and tensors that an object holds."""
    left = MAX_BYTES
    for name, value in getattr(owner, "__dict__", {}).items():
        for place, part in enumerate(value[:MOST] if type(value) in (list, tuple) else [value]):
            array = part.numpy() if type(part) is torch.Tensor and on_cpu(part) and plain(part) else part
            if type(array).__module__ == "numpy" and hasattr(array, "nbytes") and not array.dtype.hasobject:
                left -= array.nbytes
                if left > 0:
                    yield (name, place), hash(array.tobytes())
