"""A recurrent net whose gradient norm is in the thousands: clipping before backward() does nothing and training ends in nan;
the same call between backward() and step() makes it learn."""

import json
import math
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def train(clip_in_time):
    torch.manual_seed(0)
    rnn = nn.RNN(1, 16, nonlinearity="relu", batch_first=True).to(device)
    head = nn.Linear(16, 1).to(device)
    with torch.no_grad():
        rnn.weight_hh_l0.copy_(1.05 * torch.eye(16))  # remembers 50 steps, and amplifies a little at each
    parameters = [*rnn.parameters(), *head.parameters()]
    optimizer = torch.optim.SGD(parameters, lr=0.01)
    first = highest = None
    for _ in range(200):
        x = torch.rand(32, 50, 1).to(device)
        y = x.sum(dim=1) / 10
        loss = (head(rnn(x)[0][:, -1]) - y).square().mean()
        optimizer.zero_grad()
        if not clip_in_time:
            nn.utils.clip_grad_norm_(parameters, max_norm=1.0)
        loss.backward()
        norm = float(nn.utils.get_total_norm([p.grad for p in parameters]) if hasattr(nn.utils, "get_total_norm")
                     else torch.stack([p.grad.norm() for p in parameters]).norm())  # fmt: skip
        if clip_in_time:
            nn.utils.clip_grad_norm_(parameters, max_norm=1.0)
        optimizer.step()
        first = loss.item() if first is None else first
        if math.isfinite(norm):
            highest = norm if highest is None else max(highest, norm)
    last = loss.item()
    print(
        json.dumps(
            {"first_loss": first, "last_loss": last if math.isfinite(last) else None, "highest_norm": highest}
        )
    )
    if not last < first:
        sys.exit(
            f"symptom: the gradient norm reached {highest:.3g} and the loss went from {first:.3g} to {last:.3g}"
        )


def broken():
    train(clip_in_time=False)


def fixed():
    train(clip_in_time=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
