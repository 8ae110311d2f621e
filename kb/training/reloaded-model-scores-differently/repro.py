"""A classifier is saved from inside a wrapper, so its keys begin with "net."; loading them with strict=False into the bare model
applies nothing and says nothing. Without the prefix, and strict, the reloaded model scores as the trained one did."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(400, 10)
y = x[:, :4].argmax(1)


class Wrapper(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = make_model()

    def forward(self, batch):
        return self.net(batch)


def make_model():
    return nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 4))


@torch.no_grad()
def accuracy(model):
    return (model.eval()(x).argmax(1) == y).float().mean().item()


def train():
    model = Wrapper()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(150):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    return accuracy(model), model.state_dict()


def compare(load):
    before, state = train()
    model = make_model()
    load(model, state)
    after = accuracy(model)
    print(json.dumps({"trained": round(before, 3), "reloaded": round(after, 3)}))
    if after < before - 0.3:
        sys.exit(
            f"symptom: accuracy {before:.3f} at the end of training, {after:.3f} after reloading the same file"
        )


def broken():
    compare(lambda model, state: model.load_state_dict(state, strict=False))


def fixed():
    compare(
        lambda model, state: model.load_state_dict(
            {key.removeprefix("net."): value for key, value in state.items()}
        )
    )


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
