"""A trained LoRA is loaded with strict=False into a model whose keys carry no prefix: not one of them fits, nothing is said, and the output is
that of the base model. With the prefix taken off, and what was left over looked at, the adapter works."""

import json
import sys

import torch
from torch import nn


class LoraLinear(nn.Module):
    def __init__(self, base, rank=2):
        super().__init__()
        self.base = base
        self.lora_A = nn.Parameter(torch.randn(rank, base.in_features))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, x):
        return self.base(x) + x @ self.lora_A.T @ self.lora_B.T


def make():
    torch.manual_seed(0)
    return nn.Sequential(LoraLinear(nn.Linear(8, 8)), nn.Tanh(), LoraLinear(nn.Linear(8, 8)))


x = torch.ones(1, 8)
trained = make()
for layer in (trained[0], trained[2]):
    nn.init.normal_(layer.lora_B)  # training
adapter = {f"base_model.{name}": value for name, value in trained.state_dict().items() if "lora_" in name}


def use(adapter, demand_all):
    model = make()
    result = model.load_state_dict(adapter, strict=False)
    if demand_all:
        assert not result.unexpected_keys, result.unexpected_keys
    change = (model(x) - make()(x)).abs().max().item()
    print(json.dumps({"adapter_tensors": len(adapter), "not_used": len(result.unexpected_keys), "change_of_output": change}))
    if change == 0:
        sys.exit("symptom: the output with the adapter is that of the base model")


def broken():
    use(adapter, demand_all=False)


def fixed():
    use({name.removeprefix("base_model."): value for name, value in adapter.items()}, demand_all=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
