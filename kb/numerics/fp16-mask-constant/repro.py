"""Causal attention in float16: filling the mask with -1e9 raises, since float16 ends at 65504; the dtype's own minimum works."""

import sys

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"


def attend(constant_for):
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 4, 8, 16, device=device).half() for _ in range(3))
    try:
        scores = q @ k.transpose(-2, -1) / 16**0.5
    except RuntimeError as error:
        if "not implemented for 'Half'" not in str(error):
            raise
        print("this torch has no float16 matrix product on the CPU", file=sys.stderr)
        sys.exit(125)
    future = torch.ones(8, 8, dtype=torch.bool, device=device).triu(1)
    scores = scores.masked_fill(future, constant_for(scores))
    out = scores.softmax(dim=-1) @ v
    print(out.shape, bool(out.isfinite().all()))


def broken():
    attend(lambda scores: -1e9)


def fixed():
    attend(lambda scores: torch.finfo(scores.dtype).min)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
