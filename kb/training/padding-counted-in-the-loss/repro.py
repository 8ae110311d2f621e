"""A tagger of short texts, most of a batch is padding with tag 0, and the loss counts it: tags of real words are hardly learned while the accuracy over all places looks
good. Told to ignore the padding, the loss is one of words."""

import json
import sys

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

PAD, WORDS, TAGS = 0, 200, 5


def batch(count=32):
    lengths = [60] + torch.randint(1, 6, (count - 1,)).tolist()
    words = [torch.randint(1, WORDS, (length,)) for length in lengths]
    tags = [one % (TAGS - 1) + 1 for one in words]
    return pad_sequence(words, batch_first=True, padding_value=PAD), pad_sequence(tags, batch_first=True, padding_value=PAD)


def train(ignored):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Embedding(WORDS, 16, padding_idx=PAD), nn.Linear(16, TAGS))
    criterion = nn.CrossEntropyLoss(ignore_index=ignored)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    for _ in range(250):
        words, tags = batch()
        loss = criterion(model(words).flatten(0, 1), tags.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    words, tags = batch(256)
    right = model(words).argmax(-1) == tags
    of_real, of_all = right[tags != PAD].float().mean().item(), right.float().mean().item()
    print(json.dumps({"right_of_real_tokens": round(of_real, 3), "right_of_all_places": round(of_all, 3)}))
    if of_real < 0.7:
        sys.exit(f"symptom: {of_real:.0%} of the real tokens are right, while {of_all:.0%} of all places are")


def broken():
    train(ignored=-100)


def fixed():
    train(ignored=PAD)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
