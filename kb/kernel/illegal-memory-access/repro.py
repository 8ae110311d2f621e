"""Another library's GPU buffer is wrapped with its size in bytes where elements are meant: the sum reads far past its end.
Only this process loses its CUDA context, except under MPS, where the fault ends its neighbours as well."""

import sys

import torch


class Buffer:
    """What a foreign GPU library hands over: a pointer and a shape."""

    def __init__(self, owner, length):
        self.owner = owner
        self.__cuda_array_interface__ = {"version": 2, "shape": (length,), "typestr": "<f4", "data": (owner.data_ptr(), False)}


def need_gpu():
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)


def total(length_of):
    owner = torch.ones(64 * 2**20, device="cuda")
    for _ in range(3):
        received = torch.as_tensor(Buffer(owner, length_of(owner)), device="cuda")
        print(received.sum().item())


def broken():
    need_gpu()
    total(lambda owner: owner.numel() * owner.element_size())


def fixed():
    need_gpu()
    total(lambda owner: owner.numel())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
