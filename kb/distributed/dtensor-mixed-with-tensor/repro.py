"""A model sharded by FSDP2 is used through a method that is not its forward: no hook collects the weights, and the layer gets a
sharded one together with a plain input. Registered as a forward method, it works."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard, register_fsdp_forward_method


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def encode(self, x):
        return self.layer(x)

    def forward(self, x):
        return self.encode(x).mean()


def use(prepare):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        model = fully_shard(Encoder(), mesh=init_device_mesh("cpu", (1,)))
        prepare(model)
        try:
            print(model.encode(torch.ones(2, 4)).shape)
        finally:
            dist.destroy_process_group()


def broken():
    use(lambda model: None)


def fixed():
    use(lambda model: register_fsdp_forward_method(model, "encode"))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
