"""Two ranks without torch.cuda.set_device both land on GPU 0, which NCCL refuses; as many ranks as GPUs, each on its own, can train."""

import faulthandler
import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def worker(rank, world_size, folder, own_gpu):
    faulthandler.dump_traceback_later(40, exit=True)
    if own_gpu:
        torch.cuda.set_device(rank)
    device = torch.cuda.current_device()
    dist.init_process_group("nccl", init_method=f"file://{folder}/store", rank=rank, world_size=world_size)
    model = DistributedDataParallel(nn.Linear(8, 2).to(device), device_ids=[device])
    model(torch.randn(4, 8, device=device)).sum().backward()
    dist.destroy_process_group()


def launch(world_size, own_gpu):
    if not torch.cuda.is_available() or not dist.is_nccl_available():
        print("needs a GPU and NCCL", file=sys.stderr)
        sys.exit(125)
    os.environ.update(NCCL_SOCKET_IFNAME="lo", NCCL_DEBUG="WARN")
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(worker, args=(world_size, folder, own_gpu), nprocs=world_size)


def broken():
    launch(2, own_gpu=False)


def fixed():
    launch(min(2, torch.cuda.device_count()), own_gpu=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
