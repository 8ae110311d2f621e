"""A script that always asks for the nccl backend cannot start on a build or machine without NCCL; choosing the backend at run time can."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")


def train(backend):
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group(backend, init_method=f"file://{folder}/store", rank=0, world_size=1)
        model = DistributedDataParallel(nn.Linear(8, 2))
        model(torch.randn(4, 8)).sum().backward()
        dist.destroy_process_group()


def broken():
    train("nccl")


def fixed():
    train("nccl" if torch.cuda.is_available() and dist.is_nccl_available() else "gloo")


if __name__ == "__main__":
    if torch.cuda.is_available() and dist.is_nccl_available():
        print("this build has NCCL and a GPU to use it on", file=sys.stderr)
        sys.exit(125)
    fixed() if "--fixed" in sys.argv[1:] else broken()
