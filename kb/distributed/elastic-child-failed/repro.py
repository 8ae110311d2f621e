"""One rank meets a label outside its classes; torch.distributed.run ends with ChildFailedError, and the reason stands further up, in that rank's traceback."""

import subprocess
import sys

import torch.distributed

SCRIPT = """
import os
import torch
from torch import nn
from torch.distributed.elastic.multiprocessing.errors import record


@record
def main():
    rank = int(os.environ["RANK"])
    labels = torch.tensor([[0, 1, 2], [2, 1, {last}]])[rank]  # every rank reads its own shard
    model = nn.Linear(4, 3)
    nn.functional.cross_entropy(model(torch.randn(3, 4)), labels).backward()


main()
"""


def launch(last):
    with open("train.py", "w") as file:
        file.write(SCRIPT.format(last=last))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "torch.distributed.run",
            "--nproc_per_node=2",
            "--master_addr=127.0.0.1",
            "--master_port=0",
            "train.py",
        ],
        timeout=50,
    )
    sys.exit(done.returncode)


def broken():
    launch(last=3)  # three classes: 0, 1, 2


def fixed():
    launch(last=0)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
