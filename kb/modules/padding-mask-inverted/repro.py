"""A transformer encoder that is told by a mask where the padding is. With True for real tokens it attends to padding alone: other numbers there change its answers. With True for padding they
change nothing."""

import json
import sys

import torch
from torch import nn

PAD, WORDS, WIDTH = 0, 50, 16


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(WORDS, WIDTH)
        self.attention = nn.MultiheadAttention(WIDTH, 2, batch_first=True)
        self.head = nn.Linear(WIDTH, 2)

    def forward(self, tokens, mask):
        x = self.embed(tokens)
        x, _ = self.attention(x[:, :1], x, x, key_padding_mask=mask)
        return self.head(x[:, 0])


def run(true_is_hidden):
    torch.manual_seed(0)
    model = Classifier().eval()
    lengths = torch.randint(3, 12, (64,))
    real = torch.arange(16) < lengths[:, None]
    words = torch.randint(1, WORDS, (64, 16))
    mask = ~real if true_is_hidden else real
    with torch.no_grad():
        one = model(torch.where(real, words, PAD), mask)
        other = model(torch.where(real, words, PAD + 1), mask)
    share = ((one - other).abs().amax(1) > 1e-4).float().mean().item()
    print(json.dumps({"answers_that_other_padding_changes": round(share, 3)}))
    if share > 0.5:
        sys.exit(f"symptom: other numbers in the padding change {share:.0%} of the answers")


def broken():
    run(true_is_hidden=False)


def fixed():
    run(true_is_hidden=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
