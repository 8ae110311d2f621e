"""The optimizer holds the head alone, so its zero_grad() never clears the backbone, which joins it later: the first step
after that uses the sum of all earlier gradients. model.zero_grad() clears both."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
backbone, head = nn.Sequential(nn.Linear(10, 32), nn.ReLU()), nn.Linear(32, 1)
model = nn.Sequential(backbone, head).to(device)
optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
x = torch.randn(128, 10, device=device)
y = x.sum(dim=1, keepdim=True)


def train(clear):
    losses = []
    for step in range(45):
        if step == 40:
            optimizer.add_param_group({"params": list(backbone.parameters())})  # unfreeze
        loss = nn.functional.mse_loss(model(x), y)
        losses.append(loss.item())
        (fresh,) = torch.autograd.grad(loss, [backbone[0].weight], retain_graph=True)
        loss.backward()
        if step == 40:
            ratio = (backbone[0].weight.grad.norm() / fresh.norm()).item()
        optimizer.step()
        clear()
    print(
        json.dumps(
            {
                "ratio": round(ratio, 2),
                "loss_before": round(losses[40], 3),
                "loss_after": round(losses[41], 3),
            }
        )
    )
    if ratio > 2:
        sys.exit(f"symptom: the first step after unfreezing uses a gradient {ratio:.0f} times too large")


def broken():
    train(optimizer.zero_grad)


def fixed():
    train(model.zero_grad)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
