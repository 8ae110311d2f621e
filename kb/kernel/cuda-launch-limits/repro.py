"""Memory-efficient attention puts the heads into the second dimension of the grid, which has at most 65535 blocks: 65536 heads cannot be
launched. In parts of 32768 heads the same attention runs. Needs a GPU."""

import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention


def run(heads_at_once):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    x = torch.rand(1, 65536, 10, 16, device="cuda")
    with sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION):
        parts = [scaled_dot_product_attention(part, part, part) for part in x.split(heads_at_once, dim=1)]
    print(torch.cat(parts, dim=1).sum().item())


def broken():
    run(65536)


def fixed():
    run(32768)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
