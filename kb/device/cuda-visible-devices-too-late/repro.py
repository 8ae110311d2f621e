"""The GPU is hidden through CUDA_VISIBLE_DEVICES after CUDA was initialised: it stays usable. Setting the variable first hides it."""

import json
import os
import sys

import torch


def need_cuda_build():
    if torch.version.cuda is None:
        print("needs a GPU and a CUDA build of torch", file=sys.stderr)
        sys.exit(125)


def report():
    try:
        usable = torch.ones(2, device="cuda").sum().item() == 2
    except RuntimeError:  # no GPU is available
        usable = False
    print(json.dumps({"visible_devices": os.environ["CUDA_VISIBLE_DEVICES"], "gpu_usable": usable}))
    if usable:
        sys.exit("symptom: the GPU is still usable although CUDA_VISIBLE_DEVICES is empty")


def broken():
    need_cuda_build()
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    torch.zeros(1, device="cuda")
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    report()


def fixed():
    need_cuda_build()
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    report()


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
