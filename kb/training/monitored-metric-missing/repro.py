"""The Trainer is to keep the best checkpoint by "f1", and compute_metrics returns "F1": it stops at the first save. Under the same name it trains."""

import sys
import tempfile

import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments


def train(name):
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    data = [{"input_ids": [1, 2, 3], "labels": row % 2} for row in range(8)]
    arguments = TrainingArguments(
        tempfile.mkdtemp(),
        num_train_epochs=1,
        eval_strategy="epoch",
        save_strategy="epoch",
        load_best_model_at_end=True,
        metric_for_best_model="f1",
        report_to="none",
        use_cpu=True,
        disable_tqdm=True,
    )
    trainer = Trainer(
        BertForSequenceClassification(config),
        arguments,
        train_dataset=data,
        eval_dataset=data,
        compute_metrics=lambda prediction: {name: 0.5},
    )
    trainer.train()
    print("best checkpoint by", arguments.metric_for_best_model, trainer.state.best_metric)


def broken():
    train("F1")


def fixed():
    train("f1")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
