"""A backbone trained with nn.BatchNorm2d is loaded into the same backbone with frozen batch norm, which keeps no counter.
Dropping the num_batches_tracked keys, and only these, loads it."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class FrozenBatchNorm2d(nn.Module):
    def __init__(self, channels, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.register_buffer("weight", torch.ones(channels))
        self.register_buffer("bias", torch.zeros(channels))
        self.register_buffer("running_mean", torch.zeros(channels))
        self.register_buffer("running_var", torch.ones(channels))

    def forward(self, x):
        scale = self.weight * (self.running_var + self.eps).rsqrt()
        return x * scale[:, None, None] + (self.bias - self.running_mean * scale)[:, None, None]


class Backbone(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 8, 3, bias=False), norm(8)
        self.conv2, self.bn2 = nn.Conv2d(8, 8, 3, bias=False), norm(8)

    def forward(self, x):
        return self.bn2(self.conv2(self.bn1(self.conv1(x)).relu()))


def pretrain():
    torch.manual_seed(0)
    model = Backbone(nn.BatchNorm2d).to(device)
    for _ in range(5):
        model(torch.randn(4, 3, 16, 16, device=device))
    torch.save(model.state_dict(), "backbone.pt")


def broken():
    pretrain()
    detector = Backbone(FrozenBatchNorm2d).to(device)
    detector.load_state_dict(torch.load("backbone.pt", map_location=device))


def fixed():
    pretrain()
    detector = Backbone(FrozenBatchNorm2d).to(device)
    state = torch.load("backbone.pt", map_location=device)
    detector.load_state_dict(
        {key: value for key, value in state.items() if not key.endswith("num_batches_tracked")}
    )


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
