"""The process group has a back end for CUDA tensors only, and a counter on the CPU is reduced: no back end for it. A group that names one for
the CPU too reduces it."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")


def reduce_counter(backend):
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group(backend, init_method=f"file://{folder}/store", rank=0, world_size=1)
        counter = torch.ones(1)
        dist.all_reduce(counter)
        print("sum", counter.item())
        dist.destroy_process_group()


def broken():
    reduce_counter("cuda:gloo")  # stands for "nccl", which has nothing for the CPU either


def fixed():
    reduce_counter("cpu:gloo,cuda:gloo")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
