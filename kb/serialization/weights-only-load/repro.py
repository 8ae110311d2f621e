"""A training state that holds the command-line arguments as an argparse.Namespace is refused by today's torch.load; with that type
allowed it loads, still without running code from the file."""

import argparse
import contextlib
import os
import sys
import tempfile

import torch
from torch import nn


def resume(allow):
    model = nn.Linear(4, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    args = argparse.Namespace(lr=1e-3, epochs=10)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "last.pt")
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "args": args, "epoch": 3}, path)
        with allow():
            checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    print("resuming at epoch", checkpoint["epoch"] + 1, "of", checkpoint["args"].epochs)


def broken():
    resume(contextlib.nullcontext)


def fixed():
    if not hasattr(torch.serialization, "safe_globals"):
        print("this torch has no safe_globals", file=sys.stderr)
        sys.exit(125)
    resume(lambda: torch.serialization.safe_globals([argparse.Namespace]))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
