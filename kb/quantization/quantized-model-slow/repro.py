"""A linear layer in int8 with the engine for phones (qnnpack) is slower than in float32 on a PC. With the engine of this processor the same
layer is faster."""

import json
import platform
import sys
import time
import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")
if platform.machine().lower() not in ("x86_64", "amd64"):
    print("needs an x86 processor, for which qnnpack is not meant", file=sys.stderr)
    sys.exit(125)
torch.set_num_threads(1)
torch.manual_seed(0)
layer = nn.Linear(1024, 1024)
x = torch.randn(32, 1024)


def milliseconds(model):
    best = float("inf")
    with torch.inference_mode():
        for _ in range(15):
            start = time.perf_counter()
            for _ in range(10):
                model(x)
            best = min(best, time.perf_counter() - start)
    return 100 * best


def compare(engine):
    torch.backends.quantized.engine = engine
    quantized = torch.ao.quantization.quantize_dynamic(nn.Sequential(layer), {nn.Linear}, dtype=torch.qint8)
    slow, fast = milliseconds(quantized), milliseconds(layer)
    print(json.dumps({"engine": engine, "int8_ms": round(slow, 2), "float32_ms": round(fast, 2)}))
    if slow > 1.2 * fast:
        sys.exit(f"symptom: int8 takes {slow:.2f} ms where float32 takes {fast:.2f} ms")


def broken():
    compare("qnnpack")


def fixed():
    compare("x86")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
