"""In a mount namespace whose /dev/shm holds 8 MiB, a worker cannot pass a batch of 24 MiB; with 256 MiB it can.

The machine's own /dev/shm is not touched: a small tmpfs is mounted over it in a namespace of this process alone.
"""

import os
import shutil
import subprocess
import sys

import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return torch.full((3, 256, 256), float(index)), index % 10


def load():
    for images, labels in DataLoader(Images(), batch_size=32, num_workers=1):
        print(tuple(images.shape), len(labels))


def container(size):
    """Run load() as a container with `--shm-size=size` would."""
    if "--inside" in sys.argv:
        return load()
    mount = f"mount -t tmpfs -o size={size} tmpfs /dev/shm"
    unshare = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*unshare, mount], capture_output=True).returncode:
        print("cannot mount a small /dev/shm in a namespace of its own here", file=sys.stderr)
        sys.exit(125)
    inside = [sys.executable, os.path.abspath(__file__), "--inside"]
    sys.exit(subprocess.run([*unshare, f'{mount} && exec "$@"', "sh", *inside]).returncode)


def broken():
    container("8m")


def fixed():
    container("256m")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
