"""A function with an if on its input is traced: torch warns, and the branch of the example is taken for every other input. Written with
torch.where, the trace computes both."""

import sys

import torch


def branch(x):
    if x.sum() > 0:
        return x
    return -x


def where(x):
    return torch.where(x.sum() > 0, x, -x)


def trace(function):
    traced = torch.jit.trace(function, torch.ones(2), check_trace=False)
    x = -torch.ones(2)
    print("plain", function(x).tolist(), "traced", traced(x).tolist())


def broken():
    trace(branch)


def fixed():
    trace(where)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
