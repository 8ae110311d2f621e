"""One gradient for each of 256 samples, by a loop over the unreduced loss and by vmap(grad(...)): same numbers, but each
turn of the loop walks through the whole batch."""

import json
import sys
import time

import torch
from torch import nn

try:
    from torch.func import functional_call, grad, vmap
except ImportError:
    print("needs torch.func (torch 2.0 or newer)", file=sys.stderr)
    sys.exit(125)

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10)).to(device)
parameters = {name: p.detach() for name, p in model.named_parameters()}
x, y = torch.randn(256, 32, device=device), torch.randint(10, (256,), device=device)


def by_loop():
    losses = nn.functional.cross_entropy(model(x), y, reduction="none")
    rows = [torch.autograd.grad(loss, list(model.parameters()), retain_graph=True) for loss in losses]
    return [torch.stack(column) for column in zip(*rows)]


def sample_loss(parameters, one, label):
    return nn.functional.cross_entropy(functional_call(model, parameters, (one[None],)), label[None])


def vectorised():
    return list(vmap(grad(sample_loss), in_dims=(None, 0, 0))(parameters, x, y).values())


def timed(job):
    start = time.perf_counter()
    result = job()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - start, result


def measure(job):
    torch.set_num_threads(1)  # other programs on the machine disturb less
    vectorised()  # warm up
    pairs = [(timed(job), timed(vectorised)) for _ in range(5)]  # in turn: what slows one slows the other
    needed = min(seconds for (seconds, _), _ in pairs)
    possible = min(seconds for _, (seconds, _) in pairs)
    gradients, reference = pairs[0][0][1], pairs[0][1][1]
    difference = max((a - b).abs().max().item() for a, b in zip(gradients, reference))
    ratio = needed / possible
    print(json.dumps({"times_the_vectorised_pass": round(ratio, 1), "largest_difference": difference}))
    if ratio > 8:
        sys.exit(f"symptom: per-sample gradients take {ratio:.0f} times as long as in one vectorised pass")


def broken():
    measure(by_loop)


def fixed():
    measure(vectorised)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
