"""A layer was renamed after the weights had been saved: load_state_dict finds one name missing and another one unexpected. Renaming
the keys loads the file."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class OldNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(8, 16), nn.Linear(16, 16)
        self.classifier = nn.Linear(16, 3)

    def forward(self, x):
        return self.classifier(self.fc2(self.fc1(x).relu()).relu())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(8, 16), nn.Linear(16, 16)
        self.fc3 = nn.Linear(16, 3)

    def forward(self, x):
        return self.fc3(self.fc2(self.fc1(x).relu()).relu())


def train_and_save():
    torch.manual_seed(0)
    model = OldNet().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = nn.functional.cross_entropy(model(torch.randn(6, 8, device=device)), torch.arange(6, device=device) % 3)
    loss.backward()
    optimizer.step()
    torch.save(model.state_dict(), "old.pt")


def broken():
    train_and_save()
    model = Net().to(device)
    model.load_state_dict(torch.load("old.pt", map_location=device))


def fixed():
    train_and_save()
    model = Net().to(device)
    state = torch.load("old.pt", map_location=device)
    print(model.load_state_dict({key.replace("classifier.", "fc3."): value for key, value in state.items()}))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
