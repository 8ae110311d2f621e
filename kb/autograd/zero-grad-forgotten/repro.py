"""A regression trained without zero_grad(): after 100 steps .grad is not the gradient of the last batch, and the loss
has not come down; with zero_grad() both are as they should be."""

import json
import sys

import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(256, 4, device=device)
y = x @ torch.tensor([[1.0], [-2.0], [0.5], [3.0]], device=device)
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


def train(clear):
    for _ in range(100):
        if clear:
            optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        before = loss.item()
        (fresh,) = torch.autograd.grad(loss, [model.weight], retain_graph=True)
        loss.backward()
        error = (model.weight.grad - fresh).norm() / fresh.norm().clamp_min(1e-6)
        optimizer.step()
    print(json.dumps({"last_loss": round(before, 6), "relative_error_of_grad": round(error.item(), 3)}))
    if error > 0.1 and before > 0.1:
        sys.exit(
            "symptom: the gradient in .grad is a running sum, not that of the last batch, and the loss does not settle"
        )


def broken():
    train(clear=False)


def fixed():
    train(clear=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
