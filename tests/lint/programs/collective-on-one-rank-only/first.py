import torch
import torch.distributed as dist


def report(loss, rank):
    dist.all_reduce(loss)  # fixed
    if rank == 0:
        dist.all_reduce(loss)  # broken, here
        print(loss)
