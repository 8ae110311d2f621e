"""An LSTM without batch_first gets (batch, time, features): it walks over the samples, so that changing one changes the next one's
output. With batch_first=True the samples are independent."""

import json
import sys

import torch
from torch import nn


def influence(**options):
    torch.manual_seed(0)
    lstm = nn.LSTM(4, 8, **options).eval()
    x = torch.randn(3, 5, 4)  # three samples of five steps
    changed = x.clone()
    changed[0] += 1
    with torch.no_grad():
        moved = (lstm(x)[0][1] - lstm(changed)[0][1]).abs().max().item()
    print(json.dumps({"change_of_sample_1": round(moved, 5)}))
    if moved > 1e-3:
        sys.exit("symptom: changing sample 0 changes the output of sample 1")


def broken():
    influence()


def fixed():
    influence(batch_first=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
