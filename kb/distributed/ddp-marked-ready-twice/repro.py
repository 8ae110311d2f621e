"""One block, checkpointed twice with re-entrant checkpointing, reports its gradients twice per backward under DDP; use_reentrant=False does not."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")


class Recurrent(nn.Module):
    def __init__(self, use_reentrant):
        super().__init__()
        self.use_reentrant = use_reentrant
        self.stem = nn.Linear(8, 16)
        self.block = nn.Sequential(nn.Linear(16, 16), nn.ReLU())
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        h = self.stem(x)
        for _ in range(2):  # the same weights twice
            h = h + checkpoint(self.block, h, use_reentrant=self.use_reentrant)
        return self.head(h)


def train(use_reentrant):
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        model = DistributedDataParallel(Recurrent(use_reentrant))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(3):
            loss = nn.functional.cross_entropy(model(torch.randn(6, 8)), torch.randint(3, (6,)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        dist.destroy_process_group()


def broken():
    train(use_reentrant=True)


def fixed():
    train(use_reentrant=False)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
