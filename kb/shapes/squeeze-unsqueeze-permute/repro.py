"""Class probabilities are taken with softmax(dim=1). A single sentence, indexed with x[0], comes without its batch dimension;
the slice x[0:1] keeps it."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
sentences = torch.randint(0, 50, (8, 12), device=device)
embed, head = nn.Embedding(50, 16).to(device), nn.Linear(16, 4).to(device)


@torch.no_grad()
def classify(tokens):
    mean = embed(tokens).mean(dim=-2)  # over the words
    return head(mean).softmax(dim=1)


def broken():
    print(classify(sentences).shape)
    print(classify(sentences[0]).shape)


def fixed():
    print(classify(sentences).shape)
    print(classify(sentences[0:1]).shape)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
