"""Hard-negative mining of a detector: the loss per box is flat (batch * boxes, 1), the mask of positive boxes is (batch, boxes).
Viewed as (batch, boxes) the positives can be blanked out."""

import sys

import torch
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
batch, boxes, classes = 4, 50, 3
logits = torch.randn(batch, boxes, classes, device=device)
labels = (torch.arange(batch * boxes, device=device) % 7 == 0).long().view(batch, boxes)


def mine(arrange):
    positive = labels > 0
    flat = logits.view(-1, classes)
    loss = flat.logsumexp(1, keepdim=True) - flat.gather(1, labels.view(-1, 1))
    loss = arrange(loss)
    loss[positive] = 0
    hardest = loss.view(batch, -1).topk(3 * int(positive.sum(1).max()), dim=1).indices
    print(tuple(hardest.shape), round(F.cross_entropy(flat, labels.view(-1)).item(), 3))


def broken():
    mine(lambda loss: loss)


def fixed():
    mine(lambda loss: loss.view(batch, -1))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
