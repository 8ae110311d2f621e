"""Rank 1 has fewer batches than rank 0 and goes on to something else: rank 0's all-reduce waits until the timeout. Join lets it finish."""

import contextlib
import datetime
import faulthandler
import os
import sys
import tempfile
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
METHOD = "fork" if sys.platform == "linux" else "spawn"


def worker(rank, folder, joined):
    faulthandler.dump_traceback_later(30, exit=True)
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2)
    dist.barrier()
    group = dist.new_group(timeout=datetime.timedelta(seconds=3))  # minutes in real life
    model = DistributedDataParallel(nn.Linear(8, 2), process_group=group)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    batches = [
        torch.randn(4, 8) for _ in range(5 if rank == 0 else 3)
    ]  # files were not divisible by the ranks
    with Join([model]) if joined else contextlib.nullcontext():
        for x in batches:
            optimizer.zero_grad()
            model(x).sum().backward()
            optimizer.step()
    if rank == 1:
        time.sleep(5)  # evaluates, writes a checkpoint, ...
    dist.barrier()
    dist.destroy_process_group()


def launch(joined):
    with tempfile.TemporaryDirectory() as folder:
        mp.start_processes(worker, args=(folder, joined), nprocs=2, start_method=METHOD)


def broken():
    launch(joined=False)


def fixed():
    launch(joined=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
