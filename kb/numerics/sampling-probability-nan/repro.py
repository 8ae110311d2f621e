"""Generating text with a model trained in bfloat16: run as float16 its logits overflow, softmax makes them nan and multinomial refuses;
run as bfloat16 it samples."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class TinyLM(nn.Module):
    def __init__(self, vocabulary=50, width=64):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        with torch.no_grad():
            self.embed.weight.mul_(3000)  # activations of a few thousand: harmless in bfloat16
            self.head.weight.mul_(100)

    def forward(self, token):
        return self.head(self.embed(token))


@torch.no_grad()
def generate(dtype):
    torch.manual_seed(0)
    model = TinyLM().to(device, dtype)
    token = torch.tensor([1], device=device)
    text = []
    for _ in range(5):
        try:
            logits = model(token)
        except RuntimeError as error:
            if "not implemented for 'Half'" not in str(error):
                raise
            print("this torch has no float16 matrix product on the CPU", file=sys.stderr)
            sys.exit(125)
        probabilities = torch.softmax(logits / 0.7, dim=-1)
        token = torch.multinomial(probabilities, num_samples=1)[:, 0]
        text.append(token.item())
    print(text)


def broken():
    generate(torch.float16)


def fixed():
    generate(torch.bfloat16)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
