"""Words are numbered from 1 because 0 is the padding, but the embedding has only as many rows as there are words: the last word has none.
With one row more every id is in the table."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
sentences = ["the cat sat on the mat", "a dog ran", "the dog sat"]
words = sorted({word for sentence in sentences for word in sentence.split()})
vocab = {word: number for number, word in enumerate(words, start=1)}
ids = nn.utils.rnn.pad_sequence(
    [torch.tensor([vocab[word] for word in s.split()]) for s in sentences], batch_first=True
)


def run(rows):
    embedding = nn.Embedding(rows, 16, padding_idx=0).to(device)
    vectors = embedding(ids.to(device))
    print("mean of the embedded words", vectors.mean().item())  # on a GPU the error surfaces here


def broken():
    run(len(vocab))


def fixed():
    run(len(vocab) + 1)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
