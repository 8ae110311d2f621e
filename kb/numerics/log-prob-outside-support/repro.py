"""Actions numbered from 1 are asked of a Categorical that numbers its classes from 0: the highest one is outside. Shifted by one, each has its
log-probability."""

import sys

import torch

torch.manual_seed(0)
policy = torch.distributions.Categorical(logits=torch.randn(4, 3))
actions = torch.tensor([1, 2, 3, 1])  # as the environment counts them


def broken():
    print(policy.log_prob(actions))


def fixed():
    print(policy.log_prob(actions - 1))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
