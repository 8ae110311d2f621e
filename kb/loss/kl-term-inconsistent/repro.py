"""The divergence of a variational encoder takes a name for log sigma in one term and for log sigma squared in the other: it pulls the deviation to 2. With both the same it pulls to 1."""

import json
import sys

import torch


def settle(divergence):
    log_std = torch.zeros(1, requires_grad=True)
    mean = torch.zeros(1)
    optimizer = torch.optim.SGD([log_std], lr=0.05)
    for _ in range(500):
        optimizer.zero_grad()
        divergence(mean, log_std).sum().backward()
        optimizer.step()
    sigma = log_std.exp().item()
    print(json.dumps({"sigma_of_the_lowest_divergence": round(sigma, 3)}))
    if abs(sigma - 1) > 0.1:
        sys.exit(f"symptom: the divergence from the standard normal is lowest at a deviation of {sigma:.2f}")


def broken():
    def divergence(mean, log_std):
        return -0.5 * (1 + 2 * log_std - mean.pow(2) - log_std.exp())

    settle(divergence)


def fixed():
    def divergence(mean, log_std):
        return -0.5 * (1 + 2 * log_std - mean.pow(2) - (2 * log_std).exp())

    settle(divergence)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
