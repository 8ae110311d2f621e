"""An 8-class network is trained with a mean squared error against class numbers: the shapes (4, 8) and (4,) do not fit. Against
one-hot rows they do."""

import sys

import torch
from torch import nn
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 8), nn.Softmax(dim=1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(32, 16, device=device)
labels = torch.randint(0, 8, (32,), device=device)


def train(encode):
    for batch, target in zip(x.split(4), labels.split(4)):
        loss = F.mse_loss(model(batch), encode(target))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.4f}")


def broken():
    train(lambda target: target)


def fixed():
    train(lambda target: F.one_hot(target, num_classes=8).float())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
