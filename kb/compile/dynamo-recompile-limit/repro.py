"""A compiled step reads its number as an int from a global object and is compiled anew each time; as a tensor, one graph serves."""

import sys

import torch
from torch import nn

if not hasattr(torch, "compile"):
    print("needs torch.compile", file=sys.stderr)
    sys.exit(125)

device = "cuda" if torch.cuda.is_available() else "cpu"


class Progress:
    step = 0


progress = Progress()


def train(first):
    model = nn.Linear(8, 3).to(device)
    progress.step = first

    def loss(x):
        return model(x).logsumexp(-1).mean() / (progress.step + 1)

    compiled = torch.compile(loss, backend="eager")
    for _ in range(11):
        compiled(torch.randn(5, 8, device=device)).backward()
        progress.step = progress.step + 1
    print("trained for", int(progress.step), "steps")


def broken():
    train(0)


def fixed():
    train(torch.tensor(0))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
