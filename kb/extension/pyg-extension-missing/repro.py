"""torch_geometric alone: knn_graph is done by pyg-lib, which is not installed. For a few thousand points torch's own cdist and topk make
the same edges."""

import importlib.util
import sys

import torch
from torch_geometric.nn import GCNConv, knn_graph

torch.manual_seed(0)
points = torch.randn(50, 3)


def train(edge_index):
    print(GCNConv(3, 4)(points, edge_index).shape)


def broken():
    if importlib.util.find_spec("pyg_lib"):
        print("pyg-lib is installed here", file=sys.stderr)
        sys.exit(125)
    train(knn_graph(points, k=4))


def fixed():
    distances = torch.cdist(points, points).fill_diagonal_(float("inf"))
    neighbours = distances.topk(4, largest=False).indices  # (points, 4)
    train(torch.stack([neighbours.flatten(), torch.arange(len(points)).repeat_interleave(4)]))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
