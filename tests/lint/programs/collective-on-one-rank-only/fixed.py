import torch
import torch.distributed as dist


def report(loss, rank):
    dist.all_reduce(loss)
    if rank == 0:
        print(loss)
