"""A training step adds up 4000 per-sample losses with Python's sum(): one addition and one graph node per sample, where
Tensor.sum() needs one of each."""

import json
import sys
import time

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
SAMPLES = 4000


def graph_nodes(tensor):
    seen, stack = set(), [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in seen:
            seen.add(node)
            stack += [parent for parent, _ in node.next_functions]
    return len(seen)


def step(model, optimizer, x, y, add_up):
    per_sample = nn.functional.mse_loss(model(x).squeeze(1), y, reduction="none")
    start = time.perf_counter()
    loss = add_up(per_sample) / SAMPLES
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    loss.item()  # waits for a GPU
    return time.perf_counter() - start, loss


def run(add_up):
    torch.manual_seed(0)
    model = nn.Linear(16, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x, y = torch.randn(SAMPLES, 16, device=device), torch.randn(SAMPLES, device=device)
    rows = [
        (step(model, optimizer, x, y, torch.sum)[0], *step(model, optimizer, x, y, add_up)) for _ in range(5)
    ]
    reference, measured = min(row[0] for row in rows), min(row[1] for row in rows)
    nodes = graph_nodes(rows[-1][2])
    ratio = measured / reference
    print(
        json.dumps(
            {
                "ms": round(1000 * measured, 2),
                "ms_tensor_sum": round(1000 * reference, 2),
                "ratio": round(ratio, 1),
                "nodes": nodes,
            }
        )
    )
    if nodes > SAMPLES / 2:
        sys.exit(f"symptom: {nodes} graph nodes and {ratio:.0f} times the time to add up {SAMPLES} losses")


def broken():
    run(lambda losses: sum(losses))


def fixed():
    run(lambda losses: losses.sum())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
