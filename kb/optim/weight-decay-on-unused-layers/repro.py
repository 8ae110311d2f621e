"""An auxiliary head is switched off by multiplying its loss by 0. Its gradients are zeros, and weight decay shrinks it all
the same; left out of the optimizer it keeps its weights."""

import json
import sys

import torch
from torch import nn

torch.set_num_threads(1)  # the tensors are tiny
torch.manual_seed(0)
model = nn.ModuleDict({"body": nn.Linear(8, 16), "head": nn.Linear(16, 1), "aux_head": nn.Linear(16, 1)})
x = torch.randn(64, 8)
y = x.sum(1, keepdim=True)
aux_weight = 0.0


def train(parameters):
    optimizer = torch.optim.SGD(parameters, lr=0.05, weight_decay=0.1)
    before = model["aux_head"].weight.norm().item()
    for _ in range(200):
        features = model["body"](x).relu()
        loss = (model["head"](features) - y).square().mean() + aux_weight * (
            model["aux_head"](features) - y
        ).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    after = model["aux_head"].weight.norm().item()
    gradient = model["aux_head"].weight.grad.abs().max().item()
    print(
        json.dumps(
            {"largest gradient": gradient, "norm before": round(before, 4), "norm after": round(after, 4)}
        )
    )
    if after < 0.9 * before:
        sys.exit(
            f"symptom: the unused head shrank to {after / before:.0%} of its norm although its gradient is {gradient}"
        )


def broken():
    train(model.parameters())


def fixed():
    train([parameter for name, parameter in model.named_parameters() if not name.startswith("aux_head.")])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
