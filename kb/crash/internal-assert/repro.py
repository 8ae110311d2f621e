"""A model multiplies by a Python bool. Run as it is, that works; traced, no overload of aten::mul takes a bool, and a check inside torch
fails. Multiplied by a number it is traced."""

import sys

import torch


class Gate(torch.nn.Module):
    def __init__(self, on):
        super().__init__()
        self.on = on

    def forward(self, x):
        return x * self.on


def trace(on):
    gate = Gate(on)
    x = torch.ones(2)
    print("as it is:", gate(x))
    print("traced:", torch.jit.trace(gate, x, check_trace=False)(x))


def broken():
    trace(True)


def fixed():
    trace(float(True))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
