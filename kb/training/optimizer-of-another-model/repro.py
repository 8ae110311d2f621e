"""A network is built again, as when a notebook cell is run twice, after its optimizer was made: the steps go to the old tensors and the
loss stays where it was. With the optimizer built last the weights move."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def build():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1)).to(device)


def run(optimizer_last):
    model = build()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    model = build()  # the cell is run again
    if optimizer_last:
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    x = torch.randn(256, 8, generator=torch.Generator().manual_seed(1)).to(device)
    y = x[:, :1] - x[:, 1:2]
    start = model[0].weight.detach().clone()
    for _ in range(50):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    moved = (model[0].weight - start).abs().max().item()
    print(
        json.dumps(
            {
                "loss": round(loss.item(), 3),
                "largest_change": round(moved, 4),
                "gradient": model[0].weight.grad is not None,
            }
        )
    )
    if moved == 0:
        sys.exit("symptom: 50 steps with gradients have not moved the weights of the trained model")


def broken():
    run(optimizer_last=False)


def fixed():
    run(optimizer_last=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
