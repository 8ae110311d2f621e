"""Training stops, the backbone is frozen, and the run resumes with an optimizer over the head alone: the saved state has too many
parameters. Built over all parameters as before, the optimizer loads it, and frozen parameters are skipped."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 8)
y = (x.sum(1) > 0).long()


def new_model():
    return nn.ModuleDict({"backbone": nn.Linear(8, 16), "head": nn.Linear(16, 2)})


def train(model, optimizer):
    for _ in range(20):
        loss = nn.functional.cross_entropy(model["head"](model["backbone"](x).relu()), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.3f}")


def first_run():
    model = new_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    train(model, optimizer)
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "checkpoint.pt")


def resume(choose):
    first_run()
    checkpoint = torch.load("checkpoint.pt")
    model = new_model()
    model.load_state_dict(checkpoint["model"])
    model["backbone"].requires_grad_(False)
    optimizer = torch.optim.Adam(choose(model), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    train(model, optimizer)


def broken():
    resume(lambda model: [p for p in model.parameters() if p.requires_grad])


def fixed():
    resume(lambda model: list(model.parameters()))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
