"""Weights of a 1000-class network are loaded into a 10-class one: the last layer has another shape, and strict=False does not help.
Loading into the original architecture and replacing the last layer afterwards does."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class Net(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3)
        self.fc = nn.Linear(8, num_classes)

    def forward(self, x):
        return self.fc(self.conv1(x).relu().mean((2, 3)))


def save_pretrained():
    torch.manual_seed(0)
    torch.save(Net(num_classes=1000).state_dict(), "pretrained.pt")


def fine_tune_step(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = nn.functional.cross_entropy(
        model(torch.randn(4, 3, 8, 8, device=device)), torch.arange(4, device=device)
    )
    loss.backward()
    optimizer.step()
    print("fine-tuning", tuple(model.fc.weight.shape))


def broken():
    save_pretrained()
    model = Net(num_classes=10)
    model.load_state_dict(torch.load("pretrained.pt", map_location="cpu"), strict=False)
    fine_tune_step(model.to(device))


def fixed():
    save_pretrained()
    model = Net(num_classes=1000)
    model.load_state_dict(torch.load("pretrained.pt", map_location="cpu"))
    model.fc = nn.Linear(model.fc.in_features, 10)
    fine_tune_step(model.to(device))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
