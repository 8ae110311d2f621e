"""The output layer uses the embedding's weight, so the state dict holds one tensor under two names, which save_file refuses. save_model keeps
it once, and load_model ties it again."""

import os
import sys
import tempfile

from safetensors.torch import load_model, save_file, save_model
from torch import nn


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 16)
        self.head = nn.Linear(16, 100, bias=False)
        self.head.weight = self.embed.weight


def store(save):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        save(Tied(), path)
        again = Tied()
        load_model(again, path)
        print("saved and loaded, tied:", again.head.weight is again.embed.weight)


def broken():
    store(lambda model, path: save_file(model.state_dict(), path))


def fixed():
    store(save_model)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
