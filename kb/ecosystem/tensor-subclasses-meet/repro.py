"""A picture and a mask, each a class of its own made from torch.Tensor, meet in a loss: neither takes the other. As plain tensors they do."""

import sys

import torch


class Picture(torch.Tensor):
    pass


class Mask(torch.Tensor):
    pass


def loss(x, y):
    print("loss", float(torch.nn.functional.mse_loss(x, y)))


def broken():
    loss(torch.ones(2, 3).as_subclass(Picture), torch.zeros(2, 3).as_subclass(Mask))


def fixed():
    x, y = torch.ones(2, 3).as_subclass(Picture), torch.zeros(2, 3).as_subclass(Mask)
    loss(x.as_subclass(torch.Tensor), y.as_subclass(torch.Tensor))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
