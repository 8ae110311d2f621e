"""A hook that looks at activations is registered in every step and never removed: each forward calls all of them, and a step takes longer and
longer. Removed after use, it costs the same in the last step as in the first."""

import json
import sys
import time

import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
model = nn.Linear(64, 64)
x = torch.randn(64, 64)


def train(remove):
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    means, times = [], []
    for _ in range(1000):
        start = time.perf_counter()
        handle = model.register_forward_hook(
            lambda module, inputs, output: means.append(output.detach().mean().item())
        )
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
        if remove:
            handle.remove()
        times.append(1000 * (time.perf_counter() - start))
    first, last = (sorted(part)[50] for part in (times[10:110], times[-100:]))
    print(
        json.dumps(
            {"ms_per_step_at_first": first, "ms_per_step_at_last": last, "hooks": len(model._forward_hooks)}
        )
    )
    if last > 3 * first:
        sys.exit(f"symptom: a step took {first:.2f} ms at first and {last:.2f} ms at the end")


def broken():
    train(remove=False)


def fixed():
    train(remove=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
