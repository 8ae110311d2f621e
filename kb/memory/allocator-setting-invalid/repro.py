"""A split size of 10 MB is refused by torch's allocator, and one of 128 MB is taken. The setting is handed over by a function, as torch does
it with the variable PYTORCH_CUDA_ALLOC_CONF when it first needs the GPU; so no GPU is needed here."""

import sys

import torch


def give(setting):
    functions = "_accelerator_setAllocatorSettings", "_cuda_cudaCachingAllocator_set_allocator_settings"
    found = [getattr(torch._C, name) for name in functions if hasattr(torch._C, name)]
    if not found:
        print("this build of torch has no settings for an allocator", file=sys.stderr)
        sys.exit(125)
    found[0](setting)
    print("taken:", setting)


def broken():
    give("max_split_size_mb:10")


def fixed():
    give("max_split_size_mb:128")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
