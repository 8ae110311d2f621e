"""Two GPUs are visible and a plain model trains on one of them; DataParallel (the shortest cure) uses both."""

import json
import sys

import torch
from torch import nn


def need_two_gpus():
    if torch.cuda.device_count() < 2:
        print("needs two GPUs", file=sys.stderr)
        sys.exit(125)


def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(5):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(
            model(torch.randn(64, 128, device="cuda")), torch.randint(10, (64,), device="cuda")
        )
        loss.backward()
        optimizer.step()
    visible = torch.cuda.device_count()
    used = sum(torch.cuda.max_memory_allocated(i) > 0 for i in range(visible))
    print(json.dumps({"visible": visible, "used": used}))
    if used < 2:
        sys.exit(f"symptom: only {used} of {visible} visible GPUs held any data")


def broken():
    need_two_gpus()
    train(nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 10)).cuda())


def fixed():
    need_two_gpus()
    train(nn.DataParallel(nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 10)).cuda()))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
