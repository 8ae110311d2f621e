"""Four processes train with the batch size and the learning rate of one: a quarter of the steps, and a loss that is far higher after
the same epochs. With the learning rate times four they arrive where one process does."""

import json
import os
import sys
import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

EPOCHS, PROCESSES = 3, 4


def train(rank, folder, world, rate):
    torch.set_num_threads(1)
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group("gloo", init_method=f"file://{folder}/store-{world}", rank=rank, world_size=world)
    torch.manual_seed(0)
    x = torch.randn(512, 8)
    data = TensorDataset(x, x @ torch.randn(8, 1))
    sampler = DistributedSampler(data, world, rank)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    model = DistributedDataParallel(nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        for inputs, targets in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), targets).backward()
            optimizer.step()
    if rank == 0:
        loss = nn.functional.mse_loss(model.module(x), data.tensors[1]).item()
        Path(folder, f"result-{world}").write_text(json.dumps([EPOCHS * len(loader), loss]))
    dist.destroy_process_group()


def compare(rate_of_four):
    with tempfile.TemporaryDirectory() as folder:
        results = []
        for world, rate in ((1, 0.01), (PROCESSES, rate_of_four)):
            mp.spawn(train, (folder, world, rate), nprocs=world)
            results += json.loads(Path(folder, f"result-{world}").read_text())
    names = "steps_of_one", "loss_of_one", "steps_of_four", "loss_of_four"
    print(json.dumps(dict(zip(names, (round(number, 5) for number in results)))))
    if results[3] > 5 * results[1]:
        sys.exit(
            f"symptom: after the same epochs {PROCESSES} processes end at a loss of {results[3]:.4f}, one at {results[1]:.4f}"
        )


def broken():
    compare(rate_of_four=0.01)


def fixed():
    compare(rate_of_four=0.04)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
