"""An xformers wheel for CUDA beside a torch without CUDA: its compiled part cannot be loaded, which it says when it is imported, and
its attention fails. torch's own attention needs no other package."""

import sys

import torch

query = torch.randn(1, 64, 4, 32)  # (batch, length, heads, channels), as xformers wants it


def broken():
    import xformers.ops

    if torch.cuda.is_available():
        print("this torch sees a GPU, so the two may well fit", file=sys.stderr)
        sys.exit(125)
    print(xformers.ops.memory_efficient_attention(query, query, query).shape)


def fixed():
    heads = query.transpose(1, 2)
    print(torch.nn.functional.scaled_dot_product_attention(heads, heads, heads).transpose(1, 2).shape)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
