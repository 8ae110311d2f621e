import torch
from torch.utils.data import BatchSampler, DataLoader, SequentialSampler, TensorDataset

dataset = TensorDataset(torch.arange(100).float())
batches = BatchSampler(SequentialSampler(dataset), batch_size=10, drop_last=False)


def make_loader(workers: int):
    return DataLoader(  # here
        dataset,
        batch_sampler=batches,
        batch_size=10,  # broken
        num_workers=workers,
    )


print(len(make_loader(0)))
