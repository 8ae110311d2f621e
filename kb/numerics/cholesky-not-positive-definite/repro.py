"""The kernel matrix of 60 close points is singular in float32: Cholesky stops at row 4. With double precision and a small jitter it is
factored."""

import sys

import torch

x = torch.linspace(0, 1, 60)[:, None]
kernel = torch.exp(-0.5 * torch.cdist(x, x) ** 2 / 0.3**2)


def factor(matrix):
    lower = torch.linalg.cholesky(matrix)
    print("largest error:", (lower @ lower.mT - matrix).abs().max().item())


def broken():
    factor(kernel)


def fixed():
    points = x.double()
    exact = torch.exp(-0.5 * torch.cdist(points, points) ** 2 / 0.3**2)
    factor(exact + 1e-8 * torch.eye(60, dtype=torch.float64))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
