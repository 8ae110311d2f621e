"""FSDP flattens a bfloat16 layer with a float32 adapter beside it into one tensor and refuses two dtypes. Wrapped each on its own, both fit."""

import os
import sys
import tempfile
import warnings

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.distributed.fsdp.wrap import ModuleWrapPolicy

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
warnings.filterwarnings("ignore")


class Adapter(nn.Linear):
    """Trained in float32."""


def wrap(**options):
    model = nn.Sequential(nn.Linear(8, 8).bfloat16(), Adapter(8, 8))
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        model = FullyShardedDataParallel(model, device_id=torch.device("cpu"), **options)
        print("flat parameters:", sorted({str(parameter.dtype) for parameter in model.parameters()}))
        dist.destroy_process_group()


def broken():
    wrap()


def fixed():
    wrap(auto_wrap_policy=ModuleWrapPolicy({Adapter}))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
