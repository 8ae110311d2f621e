"""The edges of a graph, one pair per row, are handed to sparse_coo_tensor as they are. It wants one row per dimension, so
they have to be transposed."""

import sys

import torch

edges = torch.tensor([[0, 1], [1, 2], [2, 0]])


def adjacency(indices):
    matrix = torch.sparse_coo_tensor(indices, torch.ones(3), (3, 3), check_invariants=True)
    print(matrix.to_dense())


def broken():
    adjacency(edges)


def fixed():
    adjacency(edges.t())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
