"""Two ranks: statistics of a batch norm on the way, gradients averaged as one tensor, local steps with an average now
and then, a network on one rank only, and shards of which each rank trains its own.
"""

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
    world = 2

    ddp = DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8)))
    opt = torch.optim.AdamW(ddp.parameters(), 1e-3)
    for _ in range(5):
        opt.zero_grad()
        ddp(torch.randn(16, 4) + rank).pow(2).mean().backward()
        opt.step()

    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    for one in net.parameters():
        dist.broadcast(one.data, 0)
    opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
    for _ in range(5):
        opt.zero_grad()
        nn.functional.cross_entropy(net(torch.randn(8, 4)), torch.randint(0, 3, (8,))).backward()
        flat = torch.cat([one.grad.reshape(-1) for one in net.parameters()])
        dist.all_reduce(flat)
        for one, part in zip(
            net.parameters(), flat.div(world).split([one.numel() for one in net.parameters()])
        ):
            one.grad.copy_(part.view_as(one))
        opt.step()

    local_steps(world)
    shards(rank)


def local_steps(world):
    local = nn.Linear(4, 3)
    for one in local.parameters():
        dist.broadcast(one.data, 0)
    opt = torch.optim.SGD(local.parameters(), 0.1)
    for step in range(12):
        opt.zero_grad()
        nn.functional.cross_entropy(local(torch.randn(8, 4)), torch.randint(0, 3, (8,))).backward()
        opt.step()
        if step % 4 == 3:
            for one in local.parameters():
                dist.all_reduce(one.data)
                one.data /= world

    apart = DistributedDataParallel(nn.Linear(4, 3))
    opt = torch.optim.SGD(apart.parameters(), 0.1)
    for step in range(9):
        opt.zero_grad()
        with apart.no_sync():
            nn.functional.cross_entropy(apart(torch.randn(8, 4)), torch.randint(0, 3, (8,))).backward()
        opt.step()
    flat = torch.cat([one.data.reshape(-1) for one in apart.parameters()])
    dist.all_reduce(flat)
    for one, part in zip(
        apart.parameters(), flat.div(world).split([one.numel() for one in apart.parameters()])
    ):
        one.data.copy_(part.view_as(one))


def shards(rank):
    shard, norm = nn.Linear(4, 4, bias=False), nn.LayerNorm(4)  # each rank has half of the columns
    opt = torch.optim.SGD([*shard.parameters(), *norm.parameters()], 0.001)
    for _ in range(5):
        torch.manual_seed(7)
        x = torch.randn(8, 4)
        opt.zero_grad()
        norm(shard(x) + x).pow(2).sum().backward()
        for one in norm.parameters():
            dist.all_reduce(one.grad)
        opt.step()

    torch.manual_seed(3)
    critic, generator = nn.Linear(4, 1), nn.Linear(4, 4)
    opt = torch.optim.SGD((critic if rank else generator).parameters(), 0.01)
    for _ in range(4):
        opt.zero_grad()
        critic(generator(torch.randn(8, 4))).mean().backward()
        opt.step()
    for one in generator.parameters():
        dist.broadcast(one.data, 0)
    for one in critic.parameters():
        dist.broadcast(one.data, 1)


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
