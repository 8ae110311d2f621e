"""BatchNorm with momentum=0.99, copied from Keras: in torch that is the share of the newest batch, so that evaluation uses the
statistics of the last batch. momentum=0.01 is what Keras means."""

import json
import sys

import torch
from torch import nn


def train(momentum):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = nn.Sequential(
        nn.Linear(4, 32), nn.BatchNorm1d(32, momentum=momentum), nn.ReLU(), nn.Linear(32, 1)
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for _ in range(1000):
        x = torch.randn(16, 4)
        loss = nn.functional.mse_loss(model(x), x.sum(1, keepdim=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    x = torch.randn(1000, 4)
    errors = {}
    for name, mode in (("with_batch_statistics", model.train), ("in_eval_mode", model.eval)):
        state = {key: value.clone() for key, value in model.state_dict().items()}
        mode()
        with torch.no_grad():
            errors[name] = round(nn.functional.mse_loss(model(x), x.sum(1, keepdim=True)).item(), 4)
        model.load_state_dict(state)
    print(json.dumps(errors))
    if errors["in_eval_mode"] > 2 * errors["with_batch_statistics"]:
        sys.exit(
            f"symptom: in eval mode the error is {errors['in_eval_mode']}, with a batch's own statistics {errors['with_batch_statistics']}"
        )


def broken():
    train(momentum=0.99)


def fixed():
    train(momentum=0.01)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
