"""An embedding gets two rows more after FSDP has wrapped the model: the next forward cannot write it back. Enlarged before wrapping it runs. One
process on the CPU is enough."""

import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def grow(embedding):
    more = torch.zeros(12, 4)
    more[:10] = torch.ones(10, 4)
    embedding.weight = nn.Parameter(more)


def forward(grow_first):
    dist.init_process_group("gloo", store=dist.FileStore("rendezvous", 1), rank=0, world_size=1)
    plain = nn.Sequential(nn.Embedding(10, 4), nn.Linear(4, 2))
    if grow_first:
        grow(plain[0])
    model = FSDP(plain, device_id=torch.device("cpu"), use_orig_params=True)
    if not grow_first:
        grow(plain[0])
    print(model(torch.tensor([1])).shape)
    dist.destroy_process_group()


def broken():
    forward(grow_first=False)


def fixed():
    forward(grow_first=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
