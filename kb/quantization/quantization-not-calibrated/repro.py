"""A network is prepared and converted with no data between: torch warns, every scale is 1, and the output is far from that of the float network.
With a few batches in between it is close."""

import copy
import json
import sys

import torch
from torch import nn
from torch.ao import quantization

torch.manual_seed(0)
backends = torch.backends.quantized.supported_engines
torch.backends.quantized.engine = "x86" if "x86" in backends else "qnnpack"
model = nn.Sequential(quantization.QuantStub(), nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4), quantization.DeQuantStub()).eval()
x = 0.3 * torch.randn(256, 16)


def quantize(batches):
    quantized = copy.deepcopy(model)
    quantized.qconfig = quantization.get_default_qconfig(torch.backends.quantized.engine)
    quantization.prepare(quantized, inplace=True)
    with torch.inference_mode():
        for batch in batches:
            quantized(batch)
    quantization.convert(quantized, inplace=True)
    wanted, got = model(x).detach(), quantized(x)
    error = ((got - wanted).norm() / wanted.norm()).item()
    print(json.dumps({"relative_error": error, "input_scale": float(quantized[0].scale), "output_scale": float(quantized[3].scale)}))


def broken():
    quantize([])


def fixed():
    quantize(x.split(32))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
