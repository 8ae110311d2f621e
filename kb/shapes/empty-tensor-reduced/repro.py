"""A loss over the rows that a mask selects: it selects none, and max() refuses. Asked first, the loss of nothing is 0."""

import sys

import torch


def broken(pred, mask):
    return pred[mask].abs().max()


def fixed(pred, mask):
    if not mask.any():
        return pred.sum() * 0
    return pred[mask].abs().max()


if __name__ == "__main__":
    torch.manual_seed(0)
    pred = torch.randn(8, requires_grad=True)
    loss = fixed(pred, pred > 100) if "--fixed" in sys.argv[1:] else broken(pred, pred > 100)
    loss.backward()
    print("loss:", float(loss))
