"""A mixed-precision loop written with torch.cuda.amp warns that both names are deprecated; with torch.amp the same loop is silent."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def train(autocast, scaler):
    torch.manual_seed(0)
    model = nn.Linear(16, 4).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        x = torch.randn(8, 16, device=device)
        optimizer.zero_grad()
        with autocast():
            loss = model(x).square().mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        print("loss", loss.item())


def broken():
    train(lambda: torch.cuda.amp.autocast(), torch.cuda.amp.GradScaler())


def fixed():
    train(lambda: torch.amp.autocast("cuda"), torch.amp.GradScaler("cuda"))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
