"""A custom function repeats its input four times; its backward hands the incoming gradient on as it is, four times too long. Summed over the
copies it has the shape of the input."""

import sys

import torch


class Repeat(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, times, summed):
        ctx.summed = summed
        return x.repeat(times, 1)

    @staticmethod
    def backward(ctx, grad):
        if ctx.summed:
            grad = grad.reshape(-1, 2, 3).sum(0)
        return grad, None, None  # one for each argument of forward


def train(summed):
    x = torch.ones(2, 3, requires_grad=True)
    Repeat.apply(x, 4, summed).sum().backward()
    print(x.grad)


def broken():
    train(summed=False)


def fixed():
    train(summed=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
