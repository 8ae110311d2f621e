"""A model is dispatched to a device that is too small for it: accelerate keeps the rest elsewhere and fetches it for each call.
With room enough nothing is offloaded. (The small "card" is main memory with a limit, the "CPU" the disk.)"""

import sys
import tempfile

import torch
from accelerate import dispatch_model, infer_auto_device_map
from torch import nn


def load(memory):
    torch.manual_seed(0)
    model = nn.Sequential(*[nn.Linear(64, 64) for _ in range(4)])
    device_map = infer_auto_device_map(model, max_memory={"cpu": memory, "disk": "1GiB"})
    with tempfile.TemporaryDirectory() as folder:
        model = dispatch_model(model, device_map=device_map, main_device="cpu", offload_dir=folder)
        print(dict(device_map), model(torch.ones(1, 64)).sum().item())


def broken():
    load(memory="40KB")


def fixed():
    load(memory="1MB")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
