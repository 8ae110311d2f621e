"""A batched map cuts long texts into several rows, and the label column keeps its old number of rows: the two do not fit into one table. Where each piece
takes the label of its text and the old columns go, they do."""

import sys

import datasets
from datasets import Dataset


def pieces(batch):
    words = [text.split() for text in batch["text"]]
    return [(row, line[at : at + 2]) for row, line in enumerate(words) for at in range(0, len(line), 2)]


def without_label(batch):
    return {"words": [piece for row, piece in pieces(batch)]}


def with_label(batch):
    found = pieces(batch)
    return {"words": [piece for row, piece in found], "label": [batch["label"][row] for row, piece in found]}


def cut(function, gone):
    datasets.disable_progress_bars()
    data = Dataset.from_dict({"label": [0, 1, 1], "text": ["the loss is nan", "it falls", "it does not fall"]})
    data = data.map(function, batched=True, remove_columns=gone)
    print(len(data), "rows:", data[0])


def broken():
    cut(without_label, ["text"])


def fixed():
    cut(with_label, ["text", "label"])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
