"""A download that broke off leaves half a checkpoint, which torch.load cannot read; comparing the size with the source's and fetching
it again before loading can."""

import os
import shutil
import sys
import tempfile

import torch
from torch import nn


def download(source, target, breaks_off):
    with open(source, "rb") as reader, open(target, "wb") as writer:
        if breaks_off:
            writer.write(reader.read(os.path.getsize(source) // 2))
        else:
            shutil.copyfileobj(reader, writer)


def predict(verify):
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "server.pt"), os.path.join(folder, "model.pt")
        torch.save(nn.Linear(64, 8).state_dict(), source)
        download(source, target, breaks_off=True)
        if verify and os.path.getsize(target) != os.path.getsize(source):
            download(source, target, breaks_off=False)
        model = nn.Linear(64, 8)
        model.load_state_dict(torch.load(target, map_location="cpu"))
        print(model(torch.ones(1, 64)).shape)


def broken():
    predict(verify=False)


def fixed():
    predict(verify=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
