import itertools

import torch
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __init__(self, paths):
        self.paths = paths

    def __iter__(self):  # here
        paths = self.paths  # broken
        #: info = torch.utils.data.get_worker_info()
        #: paths = self.paths if info is None else self.paths[info.id :: info.num_workers]
        return itertools.chain.from_iterable(map(self.rows, paths))

    def rows(self, path):
        yield from (torch.tensor(float(len(path) + n)) for n in range(3))


for batch in DataLoader(Stream(["a", "bb", "ccc"]), batch_size=2, num_workers=3):
    print(batch)
