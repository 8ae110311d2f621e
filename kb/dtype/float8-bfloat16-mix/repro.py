"""A layer's weights are stored in float8 to save memory and met by bfloat16 activations: the product is refused. Casting
the weight up for the product keeps the storage small and works."""

import sys

import torch
from torch import nn

if not hasattr(torch, "float8_e4m3fn"):
    print("this torch has no float8_e4m3fn", file=sys.stderr)
    sys.exit(125)

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


def infer(compute_weight):
    layer = nn.Linear(16, 8, bias=False).to(device, torch.float8_e4m3fn)
    x = torch.randn(4, 16, device=device, dtype=torch.bfloat16)
    with torch.no_grad():
        print("output", nn.functional.linear(x, compute_weight(layer.weight)).dtype)


def broken():
    infer(lambda weight: weight)


def fixed():
    infer(lambda weight: weight.to(torch.bfloat16))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
