"""A GRU classifier in eval mode reads the last column of a padded batch: a short sequence gets another score when a longer one is in
its batch. Packed, so that each sequence ends at its own end, the score stays the same."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class Classifier(nn.Module):
    def __init__(self, packed):
        super().__init__()
        self.packed = packed
        self.gru = nn.GRU(8, 32, batch_first=True)
        self.head = nn.Linear(32, 1)

    def forward(self, sequences):
        lengths = torch.tensor([len(s) for s in sequences])
        x = nn.utils.rnn.pad_sequence(sequences, batch_first=True)
        if self.packed:
            x = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
            _, state = self.gru(x)
            return self.head(state[-1]).squeeze(1)
        output, _ = self.gru(x)
        return self.head(output[:, -1]).squeeze(1)


def run(packed):
    torch.manual_seed(0)
    model = Classifier(packed).to(device).eval()
    with torch.no_grad():
        model.head.weight.mul_(10)
        short, long = torch.randn(5, 8).to(device), torch.randn(40, 8).to(device)
        alone = model([short])[0].item()
        with_copy = model([short, short])[0].item()
        with_long = model([short, long])[0].item()
    change, rounding = abs(with_long - alone), abs(with_copy - alone)
    print(
        json.dumps(
            {"alone": alone, "with_a_longer_one": with_long, "change": change, "change_with_a_copy": rounding}
        )
    )
    if change > 0.05:  # a GPU's TF32 rounds too, by some thousandths
        sys.exit(
            f"symptom: the score of a sequence changes by {change:.3f} when a longer one is in the batch"
        )


def broken():
    run(packed=False)


def fixed():
    run(packed=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
