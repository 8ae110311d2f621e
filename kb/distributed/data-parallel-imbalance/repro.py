"""DataParallel gathers a large output on GPU 0 and keeps gradients and Adam's state there; one DDP process per GPU splits them evenly."""

import json
import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

BATCH, CLASSES = 1024, 12000


def train(model, device, batch, steps=3):
    torch.manual_seed(0)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(steps):
        x = torch.randn(batch, 64, device=device)
        target = torch.randint(CLASSES, (batch,), device=device)
        loss = nn.functional.cross_entropy(model(x), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def net():
    return nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, CLASSES))


def report(peaks):
    ratio = peaks[0] / peaks[1]
    print(
        json.dumps({"peak_mib": [round(peak / 2**20) for peak in peaks], "ratio": round(ratio, 2)}),
        flush=True,
    )
    if ratio > 1.5:
        sys.exit(f"symptom: GPU 0 peaked at {ratio:.2f} times the memory of GPU 1")


def broken():
    model = nn.DataParallel(net().to("cuda:0"), device_ids=[0, 1])
    train(model, "cuda:0", BATCH)
    report([torch.cuda.max_memory_allocated(index) for index in (0, 1)])


def worker(rank, folder):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"file://{folder}/store", rank=rank, world_size=2)
    model = nn.parallel.DistributedDataParallel(net().to(rank), device_ids=[rank])
    train(model, rank, BATCH // 2)
    with open(os.path.join(folder, f"peak{rank}"), "w") as file:
        file.write(str(torch.cuda.max_memory_allocated(rank)))
    dist.destroy_process_group()


def fixed():
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(worker, args=(folder,), nprocs=2)
        report([int(open(os.path.join(folder, f"peak{rank}")).read()) for rank in (0, 1)])


if __name__ == "__main__":
    if torch.cuda.device_count() < 2:
        print("needs two GPUs", file=sys.stderr)
        sys.exit(125)
    fixed() if "--fixed" in sys.argv[1:] else broken()
