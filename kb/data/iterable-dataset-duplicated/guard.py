"""The first two batches of a loader, each of another worker, hold the same."""

import torch
from torchwhy_watch import Watching, tensors_in

MESSAGES = {
    "same": (
        "the first batches of worker 0 and worker 1 are equal: each of the {workers} workers yields the whole stream (get_worker_info is not asked)",
        "worker 0 与 worker 1 的第一个批次完全相同：{workers} 个 worker 各自产出整个数据流（没有使用 get_worker_info）",
    )
}


class Guard(Watching):
    def begin(self):
        self.at, self.first = ("?", 0), {}

    def on_loader(self, loader, at):
        self.at = at

    def on_batch(self, iterator, batch, seconds):
        workers = getattr(iterator, "_num_workers", 0)
        if workers < 2 or type(iterator).__name__ != "_MultiProcessingDataLoaderIter":
            return
        number = self.in_a_row(id(iterator))
        if number > 2 or not isinstance(iterator._dataset, torch.utils.data.IterableDataset):
            return
        now = [one.clone() for one in tensors_in(batch)]
        first = self.first.setdefault(id(iterator), now)
        if number == 2 and now and len(now) == len(first) and all(map(torch.equal, now, first)):
            if any(one.numel() > 1 and bool((one != one.flatten()[0]).any()) for one in now):
                self.report("same", self.at, workers=workers)
