"""The target of a Q-learning step masks finished episodes with (1 - done), where done comes from a comparison and is
therefore boolean. Inverting the mask with ~ does it."""

import sys

import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
reward, value = torch.randn(8, device=device), torch.randn(8, device=device)
steps_left = torch.tensor([3, 0, 1, 0, 5, 2, 0, 4], device=device)


def target(continues):
    done = steps_left == 0
    print("targets", (reward + 0.99 * value * continues(done)).tolist())


def broken():
    target(lambda done: 1 - done)


def fixed():
    target(lambda done: ~done)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
