"""A policy with an entropy bonus: masking p * log(p) after the fact gives a finite loss and nan gradients as soon as a probability
underflows to zero; computing it from log_softmax does not."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def masked_entropy(logits):
    p = torch.softmax(logits, dim=-1)
    plogp = torch.where(p > 0, p * torch.log(p), torch.zeros_like(p))
    return -plogp.sum(dim=-1)


def stable_entropy(logits):
    logp = torch.log_softmax(logits, dim=-1)
    return -(logp.exp() * logp).sum(dim=-1)


def train(entropy):
    torch.manual_seed(0)
    policy = nn.Linear(4, 3).to(device)
    optimizer = torch.optim.SGD(policy.parameters(), lr=1e-3)
    states = 1000 * torch.randn(64, 4, device=device)  # not normalised: the policy is very sure of itself
    actions = torch.randint(3, (64,), device=device)
    for _ in range(3):
        with torch.autograd.detect_anomaly():
            logits = policy(states)
            loss = nn.functional.cross_entropy(logits, actions) - 0.01 * entropy(logits).mean()
            print("loss", loss.item())  # finite
            optimizer.zero_grad()
            loss.backward()
        optimizer.step()


def broken():
    train(masked_entropy)


def fixed():
    train(stable_entropy)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
