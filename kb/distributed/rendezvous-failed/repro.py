"""Two workers disagree about MASTER_PORT, so rank 1 calls where nobody listens and gives up; with the same port both meet."""

import datetime
import os
import socket
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
METHOD = "fork" if sys.platform == "linux" else "spawn"


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for opened in sockets:
        opened.bind(("127.0.0.1", 0))
    ports = [opened.getsockname()[1] for opened in sockets]
    for opened in sockets:
        opened.close()
    return ports


def worker(rank, ports, wait):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(ports[rank]), RANK=str(rank), WORLD_SIZE="2")
    if rank == 0 and ports[0] != ports[1]:
        time.sleep(wait)  # only so that rank 1's message comes first
    dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=wait))
    total = torch.ones(1)
    dist.all_reduce(total)
    dist.destroy_process_group()


def broken():
    mp.start_processes(worker, args=(free_ports(2), 3), nprocs=2, start_method=METHOD)


def fixed():
    mp.start_processes(worker, args=(free_ports(1) * 2, 40), nprocs=2, start_method=METHOD)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
