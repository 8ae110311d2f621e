"""The loaders of two ranks, made without a DistributedSampler: each goes through all 100 samples, so that an epoch is as long as on one GPU and
every sample counts twice. With the sampler each rank has its half."""

import json
import sys
from collections import Counter

import torch
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

RANKS = 2
dataset = TensorDataset(torch.arange(100))


def loader(rank, split):
    if split:
        sampler = DistributedSampler(dataset, num_replicas=RANKS, rank=rank, shuffle=True)
        sampler.set_epoch(0)
        return DataLoader(dataset, batch_size=10, sampler=sampler)
    return DataLoader(dataset, batch_size=10, shuffle=True, generator=torch.Generator().manual_seed(rank))


def epoch(split):
    loaders = [loader(rank, split) for rank in range(RANKS)]  # what each process makes for itself
    seen = Counter(number for each in loaders for (batch,) in each for number in batch.tolist())
    print(
        json.dumps(
            {
                "steps_of_a_rank": len(loaders[0]),
                "times_each_sample": max(seen.values()),
                "different": len(seen),
            }
        )
    )
    if max(seen.values()) > 1:
        sys.exit(f"symptom: each sample is used {max(seen.values())} times in an epoch of {RANKS} ranks")


def broken():
    epoch(split=False)


def fixed():
    epoch(split=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
