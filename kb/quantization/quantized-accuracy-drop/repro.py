"""Weights in which one channel is 200 times larger than the rest are rounded to int8 with one scale for the whole tensor: the
others vanish and the accuracy falls. With a scale for each channel it stays."""

import json
import sys

import torch
from torch import nn


def trained():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    x = torch.randn(1000, 16)
    y = (x @ torch.randn(16, 8)).argmax(1)
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 8))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(150):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():  # the same function with one large channel, as a folded batch norm leaves it
        model[0].weight[0] *= 200
        model[0].bias[0] *= 200
        model[2].weight[:, 0] /= 200
    return model, x, y


def per_tensor(weight):
    return torch.fake_quantize_per_tensor_affine(weight, weight.abs().max().item() / 127, 0, -128, 127)


def per_channel(weight):
    zeros = torch.zeros(len(weight), dtype=torch.int32)
    return torch.fake_quantize_per_channel_affine(weight, weight.abs().amax(1) / 127, zeros, 0, -128, 127)


def compare(rounded):
    model, x, y = trained()
    with torch.no_grad():
        before = (model(x).argmax(1) == y).float().mean().item()
        model[0].weight.copy_(rounded(model[0].weight))
        after = (model(x).argmax(1) == y).float().mean().item()
    print(json.dumps({"float_accuracy": round(before, 3), "int8_accuracy": round(after, 3)}))
    if after < before - 0.1:
        sys.exit(f"symptom: accuracy {before:.2f} in float, {after:.2f} with weights in int8")


def broken():
    compare(per_tensor)


def fixed():
    compare(per_channel)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
