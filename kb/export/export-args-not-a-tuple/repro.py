"""torch.export.export wants the example inputs as a tuple; a bare tensor is refused, one in a tuple is exported."""

import sys

import torch

model = torch.nn.Linear(4, 2).eval()
x = torch.randn(3, 4)


def export(args):
    program = torch.export.export(model, args)
    print(f"exported {len(list(program.graph.nodes))} nodes")


def broken():
    export(x)


def fixed():
    export((x,))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
