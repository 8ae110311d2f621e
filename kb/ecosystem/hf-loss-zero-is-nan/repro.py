"""From its sixth batch on the model's loss is nan, and the Trainer logs 0 for it. With logging_nan_inf_filter=False the log says nan."""

import json
import math
import sys
import tempfile

import torch
from torch import nn
from transformers import Trainer, TrainingArguments


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)
        self.calls = 0

    def forward(self, x, labels):
        self.calls += 1
        loss = nn.functional.mse_loss(self.layer(x).squeeze(-1), labels)
        return {"loss": loss * math.nan if self.calls > 5 else loss}  # as an overflow would do


def train(**settings):
    torch.manual_seed(0)
    data = [{"x": torch.randn(4), "labels": torch.tensor(1.0)} for _ in range(64)]
    with tempfile.TemporaryDirectory() as folder:
        args = TrainingArguments(
            output_dir=folder,
            use_cpu=True,
            per_device_train_batch_size=4,
            max_steps=10,
            logging_steps=1,
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
            **settings,
        )
        trainer = Trainer(model=Net(), args=args, train_dataset=data)
        trainer.train()
    last = [row["loss"] for row in trainer.state.log_history if "loss" in row][-1]
    weight = trainer.model.layer.weight.sum().item()
    print(json.dumps({"logged": str(last), "weights": str(weight)}))
    if last == 0 and math.isnan(weight):
        sys.exit("symptom: the Trainer logged a loss of 0.0 while the weights are nan")


def broken():
    train()


def fixed():
    train(logging_nan_inf_filter=False)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
