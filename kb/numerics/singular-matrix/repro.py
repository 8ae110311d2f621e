"""Least squares by the normal equations with two equal columns: X^T X is singular and solve refuses. A small ridge on the diagonal makes the same
call work."""

import sys

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.arange(1.0, 6.0, device=device)
features = torch.stack([x, x], dim=1)  # the second column repeats the first
target = 2 * x


def fit(ridge):
    gram = features.T @ features
    weights = torch.linalg.solve(gram + ridge * torch.eye(2, device=device), features.T @ target)
    print("weights", [round(value, 3) for value in weights.tolist()])


def broken():
    fit(ridge=0.0)


def fixed():
    fit(ridge=1e-3)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
