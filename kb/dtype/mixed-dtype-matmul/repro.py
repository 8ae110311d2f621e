"""A bfloat16 model gets a bfloat16 input, but makes a positional table in forward with the default dtype: the sum is
float32 and the next layer refuses it. Making the table in the input's dtype cures it."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


class Encoder(nn.Module):
    def __init__(self, table_like):
        super().__init__()
        self.table_like = table_like
        self.project = nn.Linear(8, 4)

    def forward(self, x):
        position = self.table_like(x).normal_()
        return self.project(x + position)


def infer(table_like):
    model = Encoder(table_like).to(device, torch.bfloat16).eval()
    x = torch.randn(2, 5, 8, device=device, dtype=torch.bfloat16)
    with torch.no_grad():
        print("output", model(x).dtype)


def broken():
    infer(lambda x: torch.zeros(x.shape[1:], device=x.device))


def fixed():
    infer(lambda x: torch.zeros(x.shape[1:], device=x.device, dtype=x.dtype))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
