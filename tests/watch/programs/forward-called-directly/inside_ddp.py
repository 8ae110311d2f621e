import os
import socket
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(rank, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=2, timeout=timedelta(seconds=60))
    torch.manual_seed(rank)
    ddp = DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3)))
    opt = torch.optim.SGD(ddp.parameters(), 0.1)
    for _ in range(5):
        x, y = torch.randn(8, 4), torch.randint(0, 3, (8,))
        opt.zero_grad()
        out = ddp.module(x)  # broken, here
        out = ddp(x)  # fixed
        nn.functional.cross_entropy(out, y).backward()
        opt.step()


with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
reads, writes = os.pipe()
other = os.fork()  # as a test's process forks: it has imported torch already
if other:
    train(0, port)
    os.close(writes)
    os.waitpid(other, 0)
else:
    os.close(writes)
    train(1, port)
    os.read(reads, 1)  # rank 0 is done with it
    os._exit(0)
