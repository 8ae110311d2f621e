"""A service limits torch's threads each time that it loads a model: the second set_num_interop_threads is refused. Setting it only
where it differs lets both models load."""

import sys

import torch
from torch import nn


def load_model(limit_threads):
    limit_threads()
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).eval()


def serve(limit_threads):
    for name in ("first", "second"):
        model = load_model(limit_threads)
        with torch.inference_mode():
            print(name, "model:", model(torch.ones(1, 8)).tolist())


def broken():
    def limit_threads():
        torch.set_num_threads(1)
        torch.set_num_interop_threads(1)

    serve(limit_threads)


def fixed():
    def limit_threads():
        torch.set_num_threads(1)
        if torch.get_num_interop_threads() != 1:
            torch.set_num_interop_threads(1)

    serve(limit_threads)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
