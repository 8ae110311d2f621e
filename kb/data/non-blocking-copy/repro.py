"""A result is copied to pinned host memory with non_blocking=True and summed at once, while the GPU is still computing it."""

import json
import sys

import torch


def predict(wait):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    weight = torch.eye(4096, device="cuda")
    host = torch.zeros(4096, 4096, pin_memory=True)
    torch.ones(4096, 4096, device="cuda") @ weight  # loads the library
    torch.cuda.synchronize()

    hidden = torch.ones(4096, 4096, device="cuda")
    for _ in range(60):  # long enough that the host gets ahead of the GPU
        hidden = hidden @ weight
    host.copy_(hidden, non_blocking=True)
    if wait:
        torch.cuda.current_stream().synchronize()
    right = int(host[-1].sum().item())

    print(json.dumps({"values": 4096, "right": right}))
    if right < 4096:
        sys.exit(f"symptom: {4096 - right} of 4096 values were read before the copy had arrived")


def broken():
    predict(wait=False)


def fixed():
    predict(wait=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
