"""A per-layer summary made of forward hooks, as torchsummary makes it, reads output.size() of every layer: nn.LSTM returns nested
tuples, so the summary fails on a model that runs. A hook that walks nested outputs prints it."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 16)
        self.lstm = nn.LSTM(16, 32, batch_first=True)
        self.head = nn.Linear(32, 5)

    def forward(self, tokens):
        output, _ = self.lstm(self.embed(tokens))
        return self.head(output)


def naive(output):
    parts = output if isinstance(output, (list, tuple)) else [output]
    return [list(part.size()) for part in parts]


def nested(output):
    return list(output.size()) if isinstance(output, torch.Tensor) else [nested(part) for part in output]


def summary(model, example, shapes):
    def hook(module, args, output):
        count = sum(p.numel() for p in module.parameters())
        print(f"{type(module).__name__:12}{str(shapes(output)):44}{count:8}")

    handles = [m.register_forward_hook(hook) for m in model.modules() if not list(m.children())]
    try:
        with torch.no_grad():
            model(example)
    finally:
        for handle in handles:
            handle.remove()


def run(shapes):
    torch.manual_seed(0)
    model = Tagger().to(device)
    tokens = torch.randint(0, 50, (4, 7), device=device)
    print("the model alone:", tuple(model(tokens).shape), flush=True)
    summary(model, tokens, shapes)


def broken():
    run(naive)


def fixed():
    run(nested)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
