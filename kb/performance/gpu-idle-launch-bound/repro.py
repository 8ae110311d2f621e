"""A training step of some two hundred tiny kernels: Python needs longer to ask for them than the GPU needs to run them. The same
step, captured once in a CUDA graph and replayed, asks for all of them at once, which shows how long the GPU itself takes."""

import json
import sys
import time

import torch
from torch import nn

STEPS = 200


def need_gpu():
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)


def training():
    torch.manual_seed(0)
    layers = [layer for _ in range(30) for layer in (nn.Linear(64, 64), nn.ReLU())]
    model = nn.Sequential(*layers, nn.Linear(64, 10)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x, y = torch.randn(32, 64, device="cuda"), torch.randint(0, 10, (32,), device="cuda")

    def step():
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()

    return step, optimizer


def captured(step, optimizer):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            optimizer.zero_grad(set_to_none=True)
            step()
    torch.cuda.current_stream().wait_stream(side)
    optimizer.zero_grad(set_to_none=True)  # the capture makes the gradients anew; each replay overwrites them
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph


def step_ms(step):
    for _ in range(20):
        step()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(STEPS):
        step()
    torch.cuda.synchronize()
    return 1000 * (time.perf_counter() - start) / STEPS


def run(choose):
    need_gpu()
    step, optimizer = training()

    def asked_one_by_one():
        optimizer.zero_grad(set_to_none=True)
        step()

    graph = captured(step, optimizer)
    needed = step_ms(graph.replay)
    taken = step_ms(choose(asked_one_by_one, graph.replay))
    print(json.dumps({"step_ms": round(taken, 3), "gpu_needs_ms": round(needed, 3)}))
    if taken > 2 * needed:
        sys.exit(f"symptom: a step takes {taken:.2f} ms, and the GPU needs {needed:.2f} ms of them")


def broken():
    run(lambda one_by_one, at_once: one_by_one)


def fixed():
    run(lambda one_by_one, at_once: at_once)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
