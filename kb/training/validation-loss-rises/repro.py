"""A wide network learns 100 samples, some with a wrong label, by heart: the training loss goes to zero while the validation loss rises. Stopped
where the validation loss was lowest, it keeps what carries over."""

import copy
import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
direction = torch.randn(20)


def make(count, noise):
    x = torch.randn(count, 20)
    y = (x @ direction > 0).float()
    return x, torch.where(torch.rand(count) < noise, 1 - y, y)


x_train, y_train = make(100, 0.15)
x_val, y_val = make(1000, 0.15)
loss_fn = nn.BCEWithLogitsLoss()


def train(patience):
    model = nn.Sequential(nn.Linear(20, 512), nn.ReLU(), nn.Linear(512, 1), nn.Flatten(0))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    best, since, kept = float("inf"), 0, None
    for _ in range(500):
        optimizer.zero_grad()
        loss_fn(model(x_train), y_train).backward()
        optimizer.step()
        with torch.no_grad():
            now = loss_fn(model(x_val), y_val).item()
        since += 1
        if now < best:
            best, since, kept = now, 0, copy.deepcopy(model.state_dict())
        if patience and since >= patience:
            model.load_state_dict(kept)
            break
    with torch.no_grad():
        losses = {
            "train": loss_fn(model(x_train), y_train).item(),
            "val": loss_fn(model(x_val), y_val).item(),
        }
    print(json.dumps({**losses, "best_val": best}))
    if losses["val"] > 1.5 * best:
        sys.exit(
            f"symptom: the training loss fell to {losses['train']:.3f}, the validation loss rose from {best:.3f} to {losses['val']:.3f}"
        )


def broken():
    train(patience=None)


def fixed():
    train(patience=20)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
