"""Two ranks whose loaders hold 5 and 6 batches: the sixth backward of rank 1 waits for a partner that has finished its epoch. Cut to the same
number of batches, both ranks end."""

import json
import os
import sys
import tempfile
from datetime import timedelta

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
BATCHES = (5, 6)  # of rank 0 and rank 1
TIMEOUT_S = 5


def run(rank, counts, store, over, done):
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method=f"file://{store}", rank=rank, world_size=2, timeout=timedelta(seconds=TIMEOUT_S)
    )
    model = DistributedDataParallel(nn.Linear(4, 1))
    for batch in range(counts[rank]):
        try:
            model(torch.randn(8, 4)).sum().backward()
        except RuntimeError:
            break  # the time limit of the group; without one it would wait on
        done[rank] = batch + 1
    if rank == 1:
        over.set()
    else:
        over.wait(4 * TIMEOUT_S)  # rank 0 is busy with something else: validation, saving


def epoch(counts):
    with tempfile.TemporaryDirectory() as folder:
        context = mp.get_context("spawn")
        over, done = context.Event(), context.Array("i", 2)
        mp.spawn(run, (counts, f"{folder}/store", over, done), nprocs=2)
        print(json.dumps({"batches": list(counts), "finished": list(done)}))
        if list(done) != list(counts):
            sys.exit(
                f"symptom: rank 1 waited {TIMEOUT_S} s in backward of batch {done[1] + 1}, which rank 0 does not have"
            )


def broken():
    epoch(BATCHES)


def fixed():
    epoch((min(BATCHES), min(BATCHES)))  # what DistributedSampler does: each rank gets equally many


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
