"""Two processes share a model by FSDP. Its embedding is used by hand after the forward pass, when each holds only a slice of it.
Within summon_full_params the whole matrix is there."""

import contextlib
import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(10, 4), nn.Linear(4, 10)

    def forward(self, tokens):
        return self.head(self.embedding(tokens))


def run(rank, store, whole_parameters):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(0)
    model = FSDP(Model(), device_id=torch.device("cpu"), use_orig_params=True)
    tokens = torch.tensor([[1, 2]])
    model(tokens).sum().backward()
    with whole_parameters(model):
        print(rank, nn.functional.embedding(tokens, model.embedding.weight).shape)
    dist.destroy_process_group()


def two_processes(whole_parameters):
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(run, (os.path.join(folder, "store"), whole_parameters), nprocs=2)


def broken():
    two_processes(contextlib.nullcontext)


def fixed():
    two_processes(FSDP.summon_full_params)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
