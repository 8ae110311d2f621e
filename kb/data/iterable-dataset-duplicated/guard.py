"""The first two batches of a loader, each of another worker, hold the same."""

import torch
from torchwhy_watch import tensors_in

MESSAGES = {
    "same": (
        "the first batches of worker 0 and worker 1 are equal: each of the {workers} workers yields the whole stream (get_worker_info is not asked)",
        "worker 0 与 worker 1 的第一个批次完全相同：{workers} 个 worker 各自产出整个数据流（没有使用 get_worker_info）",
    )
}


class Guard:
    def __init__(self, watch):
        self.watch, self.at, self.first = watch, ("?", 0), {}

    def on_loader(self, loader, at):
        self.at = at

    def on_batch(self, iterator, batch, seconds):
        if (
            getattr(iterator, "_num_workers", 0) < 2
            or type(iterator).__name__ != "_MultiProcessingDataLoaderIter"
        ):
            return
        if not isinstance(iterator._dataset, torch.utils.data.IterableDataset):
            return
        number, first = self.first.get(id(iterator), (0, None))
        if number > 1:
            return
        now = [one.clone() for one in tensors_in(batch)]
        self.first[id(iterator)] = (number + 1, now)
        if number == 1 and now and len(now) == len(first) and all(map(torch.equal, now, first)):
            if any(one.numel() > 1 and bool((one != one.flatten()[0]).any()) for one in now):
                self.watch.report("same", self.at, workers=iterator._num_workers)
