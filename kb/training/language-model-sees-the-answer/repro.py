"""A character model whose targets are its inputs: the loss falls to almost nothing, and it cannot continue a text. Shifted by one, it can."""

import json
import sys

import torch
from torch import nn

TEXT = "the quick brown fox jumps over the lazy dog. a stitch in time saves nine. " * 20
CHARS = sorted(set(TEXT))
DATA = torch.tensor([CHARS.index(one) for one in TEXT])
LENGTH = 32


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.gru, self.out = nn.Embedding(len(CHARS), 32), nn.GRU(32, 64, batch_first=True), nn.Linear(64, len(CHARS))

    def forward(self, tokens):
        return self.out(self.gru(self.embed(tokens))[0])


def train(shift):
    torch.manual_seed(0)
    model = Model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(150):
        starts = torch.randint(0, len(DATA) - LENGTH - 1, (16,)).tolist()
        inputs = torch.stack([DATA[start : start + LENGTH] for start in starts])
        targets = torch.stack([DATA[start + shift : start + shift + LENGTH] for start in starts])
        loss = nn.functional.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    tokens = DATA[None, :LENGTH]
    with torch.no_grad():
        for _ in range(LENGTH):
            tokens = torch.cat([tokens, model(tokens)[:, -1:].argmax(-1)], 1)
    right = (tokens[0, LENGTH:] == DATA[LENGTH : 2 * LENGTH]).float().mean().item()
    print(json.dumps({"loss": round(loss.item(), 4), "continued_right": round(right, 3)}))
    if right < 0.5:
        sys.exit(f"symptom: the loss is {loss.item():.3f}, yet it continues a text right in only {right:.0%} of the places")


def broken():
    train(shift=0)


def fixed():
    train(shift=1)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
