"""The eigenvalues of a symmetric matrix are asked from torch.symeig, which is gone; torch.linalg.eigh gives them."""

import sys

import torch


def eigenvalues(solver):
    a = torch.tensor([[2.0, 1.0], [1.0, 3.0]])
    values = solver(a)[0]
    print([round(value, 4) for value in values.tolist()])


def broken():
    eigenvalues(lambda a: torch.symeig(a, eigenvectors=True))


def fixed():
    eigenvalues(lambda a: torch.linalg.eigh(a, UPLO="U"))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
