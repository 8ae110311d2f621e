import os
import socket
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import nn


def train(rank, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=2, timeout=timedelta(seconds=60))
    torch.manual_seed(rank)
    net = nn.ModuleDict({"body": nn.Linear(6, 8), "head": nn.Linear(8, 2)})
    for one in net.parameters():
        dist.broadcast(one.data, 0)
    opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
    for _ in range(6):
        x, y = torch.randn(8, 6), torch.randint(0, 2, (8,))
        opt.zero_grad()
        nn.functional.cross_entropy(net["head"](net["body"](x).relu()), y).backward()
        averaged = net["body"].parameters()  # broken
        averaged = net.parameters()  # fixed
        for one in averaged:
            dist.all_reduce(one.grad)
            one.grad /= 2
        opt.step()  # here


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
