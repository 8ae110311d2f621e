"""Two ranks wrap a model that has one layer more on rank 0: DDP compares the counts and refuses. With the same layers on both it wraps."""

import multiprocessing
import sys
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def work(rank, folder, same):
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2)
    layers = [nn.Linear(4, 4)]
    if same or rank == 0:
        layers.append(nn.Linear(4, 4))
    model = DistributedDataParallel(nn.Sequential(*layers))
    model(torch.ones(2, 4)).sum().backward()
    dist.barrier()
    dist.destroy_process_group()


def run(same):
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as folder:
        ranks = [context.Process(target=work, args=(rank, folder, same)) for rank in range(2)]
        for rank in ranks:
            rank.start()
        for rank in ranks:
            rank.join()
    sys.exit(max(abs(rank.exitcode) for rank in ranks) and 1)


def broken():
    run(same=False)


def fixed():
    run(same=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
