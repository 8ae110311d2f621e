"""Wrapping a model in DistributedDataParallel without init_process_group fails; after it, even a single process trains."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")


def train():
    model = DistributedDataParallel(nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(2, (4,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def broken():
    train()


def fixed():
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        train()
        dist.destroy_process_group()


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
