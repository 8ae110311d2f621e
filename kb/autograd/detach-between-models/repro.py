"""A head is trained on an encoder's features; only the head's loss is used, yet the encoder's weights change as well,
since the features carry their history. With detach() the encoder stays as it was."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
encoder = nn.Sequential(nn.Linear(10, 8), nn.Tanh()).to(device)
head = nn.Linear(8, 2).to(device)
optimizer = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=0.01)
x = torch.randn(64, 10, device=device)
y = (x[:, 0] > 0).long()


def train(boundary):
    start = encoder[0].weight.detach().clone()
    head_start = head.weight.detach().clone()
    for _ in range(50):
        features = encoder(x)
        loss = nn.functional.cross_entropy(head(boundary(features)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    encoder_moved = (encoder[0].weight - start).abs().max().item()
    head_moved = (head.weight - head_start).abs().max().item()
    print(json.dumps({"encoder_moved": round(encoder_moved, 4), "head_moved": round(head_moved, 4)}))
    if encoder_moved > 0.01:
        sys.exit(
            f"symptom: the encoder moved by {encoder_moved:.3f} although only the head was to be trained"
        )


def broken():
    train(lambda features: features)


def fixed():
    train(torch.Tensor.detach)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
