"""The embedding of the start token is expanded to the batch and then noised in place; all rows are the same memory. A clone can be written."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


class Decoder(nn.Module):
    def __init__(self, own):
        super().__init__()
        self.own = own
        self.tokens = nn.Embedding(10, 16)  # 0 starts a sentence
        self.cell = nn.GRUCell(8, 16)

    def forward(self, x):
        start = self.tokens(torch.zeros(1, dtype=torch.long, device=x.device))
        state = self.own(start.expand(x.shape[0], -1))
        state += 0.1 * torch.randn_like(state)
        for step in x.unbind(1):
            state = self.cell(step, state)
        return state


def run(own):
    model = Decoder(own).to(device)
    model(torch.randn(4, 5, 8, device=device)).sum().backward()
    print("gradient of the start token:", round(model.tokens.weight.grad[0].norm().item(), 3))


def broken():
    run(lambda state: state)


def fixed():
    run(lambda state: state.clone())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
