"""Fine-tuning with a GradScaler: a model that was converted to float16 is refused at the first step; left in float32 under autocast
it trains."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def train(model):
    if not hasattr(torch.amp, "GradScaler"):
        print("this torch has no torch.amp.GradScaler", file=sys.stderr)
        sys.exit(125)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device)
    dtype = next(model.parameters()).dtype
    for _ in range(3):
        x = torch.randn(8, 16, device=device).to(dtype)
        optimizer.zero_grad()
        with torch.amp.autocast(device, dtype=torch.float16):
            loss = model(x).float().square().mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        print("loss", loss.item())


def broken():
    torch.manual_seed(0)
    train(nn.Linear(16, 4).to(device).half())


def fixed():
    torch.manual_seed(0)
    train(nn.Linear(16, 4).to(device))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
