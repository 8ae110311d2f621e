"""Two quantised tensors are added with +, for which there is no kernel: a quantised result needs a scale of its own. QFunctional brings one."""

import sys

import torch

torch.backends.quantized.engine = "x86" if "x86" in torch.backends.quantized.supported_engines else "qnnpack"
skip = torch.quantize_per_tensor(torch.tensor([0.5, 1.0, 1.5]), scale=0.01, zero_point=0, dtype=torch.quint8)
branch = torch.quantize_per_tensor(torch.tensor([0.1, 0.2, 0.3]), scale=0.01, zero_point=0, dtype=torch.quint8)


def broken():
    print(skip + branch)


def fixed():
    sums = torch.ao.nn.quantized.QFunctional()
    sums.scale, sums.zero_point = 0.02, 0  # what convert() sets from calibration
    print(sums.add(skip, branch))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
