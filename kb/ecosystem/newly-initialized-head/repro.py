"""The body of a tiny BERT is saved and loaded as a classifier: the file has no classifier, so transformers makes a random one and says so. The
classifier itself, saved and loaded, is complete."""

import sys
import tempfile

import torch
from transformers import BertConfig, BertForSequenceClassification, BertModel

config = BertConfig(vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)


def predict_twice(saved):
    with tempfile.TemporaryDirectory() as folder:
        saved.save_pretrained(folder)
        for _ in range(2):
            model = BertForSequenceClassification.from_pretrained(folder).eval()
            with torch.no_grad():
                print(model(torch.tensor([[1, 2, 3]])).logits.tolist())


def broken():
    predict_twice(BertModel(config))


def fixed():
    predict_twice(BertForSequenceClassification(config))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
