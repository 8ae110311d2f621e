"""A custom function hands a tensor and a plain number to save_for_backward, which takes tensors and None alone. The number belongs on ctx."""

import sys

import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor, on_ctx):
        if on_ctx:
            ctx.save_for_backward(x)
            ctx.factor = factor
        else:
            ctx.save_for_backward(x, factor)
        return factor * x**2

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * ctx.factor * 2 * x, None, None


def train(on_ctx):
    x = torch.ones(3, requires_grad=True)
    Scale.apply(x, 0.5, on_ctx).sum().backward()
    print(x.grad)


def broken():
    train(on_ctx=False)


def fixed():
    train(on_ctx=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
