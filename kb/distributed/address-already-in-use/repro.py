"""MASTER_PORT points at a port on which another program listens: rank 0 cannot open its store there; on a free port it can."""

import os
import socket
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")


def free_port():
    with socket.socket() as probe:
        probe.bind(("", 0))
        return probe.getsockname()[1]


def train(port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK="0", WORLD_SIZE="1")
    dist.init_process_group("gloo")
    model = DistributedDataParallel(nn.Linear(8, 2))
    model(torch.randn(4, 8)).sum().backward()
    dist.destroy_process_group()


def broken():
    with socket.socket() as other:  # the first job, still running
        other.bind(("", 0))
        other.listen()
        train(other.getsockname()[1])


def fixed():
    with socket.socket() as other:
        other.bind(("", 0))
        other.listen()
        train(free_port())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
