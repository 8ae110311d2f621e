"""A model of peft has the adapter "default", and set_adapter asks for "german": it is not found. Added under that name, it is."""

import sys

import torch
from peft import LoraConfig, get_peft_model
from torch import nn


def choose(names):
    torch.manual_seed(0)
    model = get_peft_model(nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2)), LoraConfig(target_modules=["0"]))
    for name in names:
        model.add_adapter(name, LoraConfig(target_modules=["0"]))
    model.set_adapter("german")
    print("active:", model.active_adapter, "of", list(model.peft_config))


def broken():
    choose([])


def fixed():
    choose(["german"])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
