"""The best weights are kept as state_dict(), which refers to the living parameters: when training goes on and gets worse, they go with it.
A deep copy keeps what it was given."""

import copy
import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 5)
y = x @ torch.randn(5, 1)


def train(keep):
    torch.manual_seed(1)
    model = nn.Linear(5, 1)
    best_loss, best = float("inf"), None
    for epoch in range(70):
        lr = 0.1 if epoch < 40 else -0.1  # the last epochs make it worse, as overfitting would
        loss = nn.functional.mse_loss(model(x), y)
        if loss.item() < best_loss:
            best_loss, best = loss.item(), keep(model)
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= lr * parameter.grad
    model.load_state_dict(best)
    restored = nn.functional.mse_loss(model(x), y).item()
    print(json.dumps({"best_loss": best_loss, "restored_loss": restored}))
    if restored > 2 * best_loss:
        sys.exit(f"symptom: the best loss was {best_loss:.2e}, the restored weights give {restored:.2e}")


def broken():
    train(lambda model: model.state_dict())


def fixed():
    train(lambda model: copy.deepcopy(model.state_dict()))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
