"""A positional table that is indexed without the colon: every token gets the same row, and the model cannot see the order. With the colon it can."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)


class Reader(nn.Module):
    def __init__(self, colon):
        super().__init__()
        self.words, self.colon = nn.Embedding(20, 16), colon
        self.pe = nn.Parameter(torch.randn(1, 50, 16))
        self.encoder = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)

    def forward(self, ids):
        length = ids.shape[1]
        places = self.pe[:, :length] if self.colon else self.pe[:, length]
        return self.encoder(self.words(ids) + places).mean(1)


def measure(model):
    ids = torch.randint(20, (4, 12))
    with torch.no_grad():
        moved = (model(ids) - model(ids.flip(1))).abs().max().item()
    print(json.dumps({"change_when_the_order_is_reversed": round(moved, 4)}))
    if moved < 1e-4:
        sys.exit("symptom: the result is the same when the tokens come in reverse order")


def broken():
    measure(Reader(colon=False))


def fixed():
    measure(Reader(colon=True))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
