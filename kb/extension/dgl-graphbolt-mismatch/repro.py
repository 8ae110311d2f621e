"""DGL from PyPI beside a torch for which it brings no GraphBolt library: importing it fails. The sum over a node's neighbours, done by torch
alone, needs neither."""

import sys

import torch

source, target = torch.tensor([0, 1, 2, 0]), torch.tensor([1, 2, 0, 2])
features = torch.eye(3)


def broken():
    import dgl

    graph = dgl.graph((source, target))
    graph.ndata["h"] = features
    graph.update_all(dgl.function.copy_u("h", "m"), dgl.function.sum("m", "sum"))
    print(graph.ndata["sum"])


def fixed():
    print(torch.zeros(3, 3).index_add(0, target, features[source]))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
