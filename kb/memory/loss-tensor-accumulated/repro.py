"""A running total of loss tensors keeps the graph of every past iteration; a running total of numbers keeps none."""

import json
import sys

import torch
from torch import nn

STEPS = 30


def nodes(value):
    """Autograd nodes that `value` keeps alive."""
    if not isinstance(value, torch.Tensor) or value.grad_fn is None:
        return 0
    seen, queue = set(), [value.grad_fn]
    while queue:
        node = queue.pop()
        if node not in seen:
            seen.add(node)
            queue += [parent for parent, _ in node.next_functions if parent is not None]
    return len(seen)


def train(number_of):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    cell, head = nn.RNNCell(8, 16).to(device), nn.Linear(16, 1).to(device)
    optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.01)
    total_loss, history = 0, []
    for _ in range(STEPS):
        series, target = torch.randn(20, 4, 8, device=device), torch.randn(4, 1, device=device)
        hidden = torch.zeros(4, 16, device=device)
        for x in series:
            hidden = cell(x, hidden)
        loss = nn.functional.mse_loss(head(hidden), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total_loss += number_of(loss)
        history.append(nodes(total_loss))
    one = nodes(loss)
    print(json.dumps({"one_iteration": one, "kept_after_10": history[9], "kept_after_30": history[-1]}))
    if history[-1] > 10 * one:
        sys.exit(f"symptom: {history[-1]} graph nodes are still alive after {STEPS} steps of {one} each")


def broken():
    train(lambda loss: loss)


def fixed():
    train(lambda loss: loss.item())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
