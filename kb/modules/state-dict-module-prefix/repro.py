"""A checkpoint saved from inside DataParallel is loaded into the bare model: every name differs by "module.". Stripping the
prefix first loads it."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3)
        self.bn1 = nn.BatchNorm2d(8)
        self.fc = nn.Linear(8, 10)

    def forward(self, x):
        return self.fc(self.bn1(self.conv1(x)).relu().mean((2, 3)))


def train_and_save():
    torch.manual_seed(0)
    model = nn.DataParallel(Net().to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = nn.functional.cross_entropy(
        model(torch.randn(8, 3, 16, 16, device=device)), torch.arange(8, device=device)
    )
    loss.backward()
    optimizer.step()
    torch.save(model.state_dict(), "checkpoint.pt")


def broken():
    train_and_save()
    model = Net()
    model.load_state_dict(torch.load("checkpoint.pt", map_location="cpu"))


def fixed():
    train_and_save()
    model = Net()
    state = torch.load("checkpoint.pt", map_location="cpu")
    nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
    print(model.load_state_dict(state))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
