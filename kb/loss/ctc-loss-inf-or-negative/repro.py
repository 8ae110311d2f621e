"""CTC loss of a batch where one output is shorter than its text needs (a repeated letter takes a blank in between): the loss is inf and
the gradients are nan. Dropping the impossible sample first, the same call is finite."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
targets = [torch.tensor([1, 1, 2]), torch.tensor([1, 2, 3])]  # the first one needs 4 steps
input_lengths = [3, 6]


def needed(target):
    return len(target) + int((target[1:] == target[:-1]).sum())


def loss_of(rows):
    logits = torch.randn(6, len(rows), 5, requires_grad=True)  # (time, batch, classes), 0 is the blank
    loss = nn.functional.ctc_loss(
        logits.log_softmax(-1),
        torch.cat([targets[row] for row in rows]),
        torch.tensor([input_lengths[row] for row in rows]),
        torch.tensor([len(targets[row]) for row in rows]),
    )
    loss.backward()
    bad = int(logits.grad.isnan().any(dim=2).any(dim=0).sum())
    print(json.dumps({"loss_is_finite": bool(loss.isfinite()), "samples_with_nan_gradient": bad}))
    if not loss.isfinite():
        sys.exit(f"symptom: the CTC loss is {loss.item()} and {bad} sample(s) have nan gradients")


def broken():
    loss_of([0, 1])


def fixed():
    loss_of([row for row in (0, 1) if input_lengths[row] >= needed(targets[row])])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
