"""Each batch uses one of two experts and leaves the other without gradients: DDP stops at the next forward unless it may search for them."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(8, 16)
        self.experts = nn.ModuleList([nn.Linear(16, 16), nn.Linear(16, 16)])
        self.head = nn.Linear(16, 3)

    def forward(self, x, task):
        h = self.stem(x).relu()
        return self.head(self.experts[task](h).relu())


def train(**options):
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        model = DistributedDataParallel(Experts(), **options)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for step in range(4):
            scores = model(torch.randn(6, 8), task=step % 2)
            loss = nn.functional.cross_entropy(scores, torch.randint(3, (6,)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        dist.destroy_process_group()


def broken():
    train()


def fixed():
    train(find_unused_parameters=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
