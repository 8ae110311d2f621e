import torch
import torch.distributed as dist


def report(metrics):
    rank = dist.get_rank()
    values = torch.tensor(metrics)
    if rank == 0:
        gathered = [torch.zeros_like(values) for _ in range(dist.get_world_size())]  # broken
        dist.all_gather(gathered, values)  # here broken
        print("ranks", dist.get_world_size())
    #: gathered = [torch.zeros_like(values) for _ in range(dist.get_world_size())]
    #: dist.all_gather(gathered, values)
    return values


dist.init_process_group("gloo")
report([0.1, 0.2])
