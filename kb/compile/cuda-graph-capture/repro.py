"""A captured step asks for the loss as a Python number; that synchronises, which a capture forbids. Reading it after the replay works."""

import sys

import torch
from torch import nn


def need_gpu():
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)


def capture_and_replay(step):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step()
    graph.replay()
    print("loss", loss.item())


def parts():
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1)).cuda()
    return model, torch.randn(8, 16, device="cuda")


def broken():
    need_gpu()
    model, static_x = parts()

    def step():
        loss = model(static_x).square().mean()
        if loss.item() > 1:
            loss = loss.log()
        return loss

    capture_and_replay(step)


def fixed():
    need_gpu()
    model, static_x = parts()

    def step():
        loss = model(static_x).square().mean()
        return torch.where(loss > 1, loss.log(), loss)

    capture_and_replay(step)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
