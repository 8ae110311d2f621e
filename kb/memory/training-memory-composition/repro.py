"""Gradients that zero_grad(set_to_none=False) leaves in place are still held during the next forward; set to None they are not."""

import json
import sys

import torch
from torch import nn


def size(tensor):
    return tensor.numel() * tensor.element_size()


def train(set_to_none):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(*[nn.Linear(512, 512) for _ in range(8)]).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    weights = sum(size(p) for p in model.parameters())
    report = {"weights": weights}
    for step in (1, 2):
        loss = model(torch.randn(4, 512, device=device)).square().mean()
        report[f"gradients_in_forward_{step}"] = sum(
            size(p.grad) for p in model.parameters() if p.grad is not None
        )
        report[f"adam_state_in_forward_{step}"] = sum(
            size(value)
            for state in optimizer.state.values()
            for value in state.values()
            if torch.is_tensor(value)
        )
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=set_to_none)
    print(json.dumps(report))
    if report["gradients_in_forward_2"] > 0.9 * weights:
        held = report["gradients_in_forward_2"] / 2**20
        sys.exit(f"symptom: the second forward holds {held:.1f} MiB of gradients that the first did not")


def broken():
    train(set_to_none=False)


def fixed():
    train(set_to_none=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
