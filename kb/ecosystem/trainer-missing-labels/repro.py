"""The Trainer gets samples whose label is called "target": it drops the column that forward() does not know, and the model returns no loss. As
"labels" the same samples train."""

import sys
import tempfile

import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments


def train(label_name):
    torch.manual_seed(0)
    config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)
    data = [{"input_ids": torch.randint(20, (5,)), "attention_mask": torch.ones(5, dtype=torch.long), label_name: row % 2} for row in range(8)]
    arguments = TrainingArguments(tempfile.mkdtemp(), max_steps=2, report_to="none", use_cpu=True, disable_tqdm=True, save_strategy="no")
    Trainer(BertForSequenceClassification(config), arguments, train_dataset=data).train()


def broken():
    train("target")


def fixed():
    train("labels")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
