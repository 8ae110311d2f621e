"""Sentences of different lengths cannot be stacked into one batch; padded in a collate function they can."""

import sys

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset, default_collate


class Sentences(Dataset):
    lengths = [5, 8, 3, 7, 6, 4, 9, 5]

    def __len__(self):
        return len(self.lengths)

    def __getitem__(self, index):
        return torch.arange(1, self.lengths[index] + 1), index % 2


def pad(batch):
    tokens, labels = zip(*batch)
    lengths = torch.tensor([len(t) for t in tokens])
    return pad_sequence(tokens, batch_first=True), lengths, torch.tensor(labels)


def read(collate):
    embedding = torch.nn.Embedding(10, 4, padding_idx=0)
    for tokens, *_ in DataLoader(Sentences(), batch_size=4, collate_fn=collate):
        print(tuple(embedding(tokens).shape))


def broken():
    read(default_collate)


def fixed():
    read(pad)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
