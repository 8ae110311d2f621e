"""torch.compile hands the graph to a backend that cannot build one of its operators, and wraps the backend's exception.
Keeping the call with that operator out of the graph lets the rest compile."""

import sys

import torch


def compiler_fn(graph, inputs):
    """A backend as Inductor is one: it refuses what it has no kernel for."""
    if any(node.target in (torch.erfinv, torch.special.erfinv) for node in graph.graph.nodes):
        raise RuntimeError("no kernel for this card")
    return graph.forward


def quantile(p):
    return torch.erfinv(2 * p - 1)


def run(part):
    def model(x):
        return part(torch.sigmoid(x)) + 1

    print(torch.compile(model, backend=compiler_fn)(torch.linspace(-1, 1, 5)))


def broken():
    run(quantile)


def fixed():
    run(torch.compiler.disable(quantile))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
