"""A library's fused scaling needs Triton, which is not installed here; asking first and falling back to plain torch runs everywhere."""

import importlib
import importlib.util
import sys

import torch


def fused_scale(x, factor):
    global language  # where Triton looks up the names in a kernel
    triton = importlib.import_module("triton")
    language = importlib.import_module("triton.language")

    @triton.jit
    def kernel(pointer, factor, count, block: language.constexpr):
        at = language.program_id(0) * block + language.arange(0, block)
        mask = at < count
        language.store(pointer + at, language.load(pointer + at, mask) * factor, mask)

    kernel[(triton.cdiv(x.numel(), 256),)](x, factor, x.numel(), block=256)
    return x


def fused_or_plain_scale(x, factor):
    if x.is_cuda and importlib.util.find_spec("triton"):
        return fused_scale(x, factor)
    return x.mul_(factor)


def attention(scale):
    query, key, value = (torch.randn(2, 4, 8, 16) for _ in range(3))
    weights = scale(query @ key.transpose(-2, -1), 0.25).softmax(dim=-1)
    return weights @ value


def broken():
    attention(fused_scale)


def fixed():
    attention(fused_or_plain_scale)


if __name__ == "__main__":
    if importlib.util.find_spec("triton"):
        print("triton is installed here", file=sys.stderr)
        sys.exit(125)
    fixed() if "--fixed" in sys.argv[1:] else broken()
