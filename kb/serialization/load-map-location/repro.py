"""A state dict that was saved on a GPU this machine does not have cannot be loaded as it is; with map_location it can."""

import os
import sys
import tempfile
from unittest import mock

import torch
from torch import nn


def save_as_on_another_machine(model, path):
    # A checkpoint stores a location tag beside each storage. To get, without that machine, the file that it would write, the tag
    # is replaced while saving: cuda:N, where N is the first number that does not exist here (0 without a GPU).
    missing = f"cuda:{torch.cuda.device_count()}"
    with mock.patch.object(torch.serialization, "location_tag", lambda storage: missing):
        torch.save(model.state_dict(), path)


def restore(**options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pt")
        save_as_on_another_machine(nn.Linear(4, 2), path)
        model = nn.Linear(4, 2)
        model.load_state_dict(torch.load(path, **options))
        model.eval()
        print(model(torch.ones(1, 4)).shape)


def broken():
    restore()


def fixed():
    restore(map_location="cpu")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
