import os

import torch


def setup(rank, size):
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("CUDA_LAUNCH_BLOCKING", "1")  # broken, here
    torch.distributed.init_process_group(backend="cpu:gloo,cuda:nccl", rank=rank, world_size=size)


def worker(rank, size):
    setup(rank, size)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).to(rank))
    print(model)
