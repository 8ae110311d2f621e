"""A collator of one's own tokenizes the column "text", which the model's forward() does not name: the Trainer has taken it away before. With
remove_unused_columns=False it is there."""

import sys
import tempfile

import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

WORDS = {"the": 1, "loss": 2, "is": 3, "nan": 4}


def collate(rows):
    ids = [[WORDS[word] for word in row["text"].split()] for row in rows]
    return {"input_ids": torch.tensor(ids), "labels": torch.tensor([row["label"] for row in rows])}


def train(**more):
    torch.manual_seed(0)
    config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)
    data = [{"text": "the loss is nan", "label": row % 2} for row in range(8)]
    arguments = TrainingArguments(
        tempfile.mkdtemp(), max_steps=2, report_to="none", use_cpu=True, disable_tqdm=True, save_strategy="no", **more
    )
    Trainer(BertForSequenceClassification(config), arguments, train_dataset=data, data_collator=collate).train()


def broken():
    train()


def fixed():
    train(remove_unused_columns=False)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
