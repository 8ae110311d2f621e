"""A deep, narrow network: a DataParallel step on two GPUs takes far longer than one GPU needs for its half of the batch; a DDP step does not."""

import json
import os
import sys
import tempfile
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

BATCH = 128


def net():
    torch.manual_seed(0)
    return nn.Sequential(*[nn.Sequential(nn.Linear(64, 64), nn.LayerNorm(64), nn.ReLU()) for _ in range(60)])


def step_time(model, device, batch):
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    x = torch.randn(batch, 64, device=device)
    best = float("inf")
    for round in range(6):
        start = time.perf_counter()
        for _ in range(10):
            optimizer.zero_grad()
            model(x).pow(2).mean().backward()
            optimizer.step()
        torch.cuda.synchronize(device)
        if round:
            best = min(best, (time.perf_counter() - start) / 10)
    return best


def report(parallel, half):
    ratio = parallel / half
    print(
        json.dumps(
            {
                "parallel_ms": round(1000 * parallel, 2),
                "one_gpu_half_batch_ms": round(1000 * half, 2),
                "ratio": round(ratio, 2),
            }
        ),
        flush=True,
    )
    if ratio > 1.6:
        sys.exit(
            f"symptom: a DataParallel step takes {ratio:.1f} times as long as one GPU needs for its half of the batch"
        )


def broken():
    half = step_time(net().to("cuda:0"), "cuda:0", BATCH // 2)
    report(step_time(nn.DataParallel(net().to("cuda:0"), device_ids=[0, 1]), "cuda:0", BATCH), half)


def worker(rank, folder):
    torch.cuda.set_device(rank)
    half = step_time(net().to(rank), rank, BATCH // 2)
    dist.init_process_group("nccl", init_method=f"file://{folder}/store", rank=rank, world_size=2)
    parallel = step_time(
        nn.parallel.DistributedDataParallel(net().to(rank), device_ids=[rank]), rank, BATCH // 2
    )
    with open(os.path.join(folder, f"times{rank}"), "w") as file:
        json.dump([parallel, half], file)
    dist.destroy_process_group()


def fixed():
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(worker, args=(folder,), nprocs=2)
        times = [json.load(open(os.path.join(folder, f"times{rank}"))) for rank in (0, 1)]
    report(max(parallel for parallel, _ in times), max(half for _, half in times))


if __name__ == "__main__":
    if torch.cuda.device_count() < 2:
        print("needs two GPUs", file=sys.stderr)
        sys.exit(125)
    fixed() if "--fixed" in sys.argv[1:] else broken()
