"""Two processes of `spawn`: one saves a checkpoint and waits for the other, which reads the next batch."""
# stands: 0 barrier 19; 1 - 21
# entry: collective-on-one-rank-only

import os
import sys
import time

import torch.distributed as dist
import torch.multiprocessing as mp


def work(rank: int, world: int, port: str) -> None:
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
    dist.init_process_group("gloo", rank=rank, world_size=world)
    if rank == 0:
        time.sleep(0.1)  # the checkpoint
    if rank == 0:
        dist.barrier()
    while rank == 1:
        time.sleep(0.5)


if __name__ == "__main__":
    mp.spawn(work, (2, sys.argv[1]), nprocs=2)
