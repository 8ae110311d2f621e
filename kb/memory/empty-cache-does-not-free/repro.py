"""empty_cache() frees nothing while a list still holds the outputs of past batches; once they are dropped, memory returns."""

import json
import sys

import torch
from torch import nn


def evaluate(drop):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    model = nn.Conv2d(3, 64, 3, padding=1).cuda()
    before = torch.cuda.memory_allocated()
    outputs = []
    with torch.no_grad():
        for _ in range(8):
            outputs.append(model(torch.randn(4, 3, 128, 128, device="cuda")))  # 16 MiB each
    if drop:
        outputs = [output.mean().item() for output in outputs]
    torch.cuda.empty_cache()
    kept = torch.cuda.memory_allocated() - before
    print(
        json.dumps(
            {"results": len(outputs), "kept_bytes": kept, "reserved_bytes": torch.cuda.memory_reserved()}
        )
    )
    if kept > 64 << 20:
        sys.exit(f"symptom: {kept >> 20} MiB stayed allocated after empty_cache()")


def broken():
    evaluate(drop=False)


def fixed():
    evaluate(drop=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
