"""The program sets TF32 by the new switch and a package asks by the old one: torch refuses the mixture. With the old switch in both places it
answers. What TF32 costs in digits needs a GPU since Ampere; the switches can be read on a CPU as well."""

import sys

import torch


def set_new():
    torch.backends.cuda.matmul.fp32_precision = "tf32"


def set_old():
    torch.set_float32_matmul_precision("high")


def broken():
    set_new()
    print("precision:", torch.get_float32_matmul_precision())


def fixed():
    set_old()
    print("precision:", torch.get_float32_matmul_precision())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
