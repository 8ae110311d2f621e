"""A deep copy of an LSTM on the GPU has each weight in storage of its own, and cuDNN warns at its first forward. After
flatten_parameters() it is silent."""

import copy
import sys

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(32, 64, num_layers=2, batch_first=True)
        self.head = nn.Linear(64, 5)

    def forward(self, x):
        return self.head(self.lstm(x)[0][:, -1])


def run(flatten):
    if not torch.cuda.is_available() or not torch.backends.cudnn.is_available():
        print("needs a GPU with cuDNN", file=sys.stderr)
        sys.exit(125)
    torch.manual_seed(0)
    student = Model().cuda()
    teacher = copy.deepcopy(student).eval()
    if flatten:
        teacher.lstm.flatten_parameters()
    x = torch.randn(8, 20, 32, device="cuda")
    with torch.no_grad():
        target = teacher(x)
    loss = (student(x) - target).square().mean()
    loss.backward()
    print("loss", loss.item())


def broken():
    run(flatten=False)


def fixed():
    run(flatten=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
