"""Attention scores of some 1e5 do not fit into float16: under autocast to float16 they are inf and the loss is nan, under bfloat16,
which has float32's range, the same step is fine."""

import json
import math
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(64, 64) for _ in range(3))

    def forward(self, x):
        scores = self.q(x) @ self.k(x).transpose(-2, -1)  # nobody divided by sqrt(64), nor normalised x
        return scores, scores.softmax(dim=-1) @ self.v(x)


def train(dtype):
    torch.manual_seed(0)
    model = Attention().to(device)
    x = 200 * torch.randn(4, 16, 64, device=device)
    try:
        with torch.autocast(device, dtype=dtype):
            scores, out = model(x)
            loss = out.float().square().mean()
        supported = scores.dtype == dtype
    except RuntimeError as error:
        if "support" not in str(error):
            raise
        supported = False
    if not supported:
        print(f"this torch has no autocast to {dtype} on {device}", file=sys.stderr)
        sys.exit(125)
    largest = scores.abs().max().item()
    print(json.dumps({"largest_score": str(largest), "loss_is_nan": math.isnan(loss.item())}))
    if math.isinf(largest) and math.isnan(loss.item()):
        sys.exit("symptom: in float16 the largest attention score is inf and the loss is nan")
    loss.backward()


def broken():
    train(torch.float16)


def fixed():
    train(torch.bfloat16)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
