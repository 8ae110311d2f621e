"""A training loop logs the gradient norm of its first layer. Logged after zero_grad() there is none, although the layer
moves; logged between backward() and step() it is there."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.randn(64, 8, device=device)
y = x.sum(dim=1, keepdim=True)


def gradient_norm(name):
    gradient = dict(model.named_parameters())[name].grad
    return 0.0 if gradient is None else gradient.norm().item()


def train(log_before_step):
    start = model[0].weight.detach().clone()
    log = []
    for _ in range(20):
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        if log_before_step:
            log.append(gradient_norm("0.weight"))
        optimizer.step()
        optimizer.zero_grad()
        if not log_before_step:
            log.append(gradient_norm("0.weight"))
    moved = (model[0].weight - start).abs().max().item()
    print(json.dumps({"largest_logged_norm": round(max(log), 4), "layer_moved": round(moved, 4)}))
    if max(log) == 0 and moved > 0.01:
        sys.exit("symptom: the log shows no gradient although the layer was trained")


def broken():
    train(log_before_step=False)


def fixed():
    train(log_before_step=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
