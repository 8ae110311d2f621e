import os
import socket

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(rank, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=2)
    torch.manual_seed(rank)
    ddp = DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3)))
    opt = torch.optim.SGD(ddp.parameters(), 0.1)
    for _ in range(5):
        x, y = torch.randn(8, 4), torch.randint(0, 3, (8,))
        opt.zero_grad()
        out = ddp.module(x)  # here # broken
        out = ddp(x)  # fixed
        nn.functional.cross_entropy(out, y).backward()
        opt.step()
    dist.barrier()
    dist.destroy_process_group()


with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
other = os.fork()  # as the test does it: this process has imported torch already
train(0 if other else 1, port)
if other:
    os.waitpid(other, 0)
else:
    os._exit(0)
