"""torch.distributed.launch passes --local-rank, which this script's parser does not know (it knows --local_rank); accepting both works."""

import subprocess
import sys

import torch.distributed

SCRIPT = """
import argparse, os
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument({names}, type=int, default=int(os.environ.get("LOCAL_RANK", 0)))
args = parser.parse_args()
model = torch.nn.Linear(4, 2)
torch.optim.SGD(model.parameters(), lr=args.lr).step()
print("rank", args.local_rank, "trains")
"""


def launch(names):
    with open("train.py", "w") as file:
        file.write(SCRIPT.format(names=names))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "torch.distributed.launch",
            "--nproc_per_node=1",
            "--master_addr=127.0.0.1",
            "--master_port=0",
            "train.py",
            "--lr=0.2",
        ],
        timeout=50,
    )
    sys.exit(done.returncode)


def broken():
    launch("'--local_rank'")


def fixed():
    launch("'--local-rank', '--local_rank'")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
