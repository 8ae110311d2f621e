"""A worker of the DataLoader waits for a lock that was held when it was forked."""
# stands: worker - 20; process _next_data 27
# entry: dataloader-deadlock-after-fork

import threading

import torch
from torch.utils.data import DataLoader, Dataset

lock = threading.Lock()


class Items(Dataset[torch.Tensor]):
    """Counts under a lock."""

    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> torch.Tensor:
        with lock:
            return torch.zeros(2)


if __name__ == "__main__":
    lock.acquire()
    loader = DataLoader(Items(), num_workers=1, multiprocessing_context="fork")
    for batch in loader:
        print(batch)
