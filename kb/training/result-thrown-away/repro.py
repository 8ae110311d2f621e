"""masked_fill gives a new tensor and leaves the old one as it was: attention goes on to what was to be hidden. Assigned, the hidden places get none."""

import json
import sys

import torch

torch.manual_seed(0)
scores, hidden = torch.randn(2, 5), torch.arange(5) > 2


def measure(weights):
    share = weights[:, hidden].sum(1).max().item()
    print(json.dumps({"attention_to_what_is_hidden": round(share, 3)}))
    if share > 0.01:
        sys.exit(f"symptom: {share:.0%} of the attention goes to places that are to be hidden")


def broken():
    scores.masked_fill(hidden, float("-inf"))
    measure(scores.softmax(1))


def fixed():
    masked = scores.masked_fill(hidden, float("-inf"))
    measure(masked.softmax(1))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
