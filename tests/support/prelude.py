"""What a block that is fenced ```` ```python run ```` may use without defining it: the conventional names, as small real objects."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


def prelude() -> dict[str, Any]:
    """Fresh objects of the conventional names: ten samples of eight features in three classes."""
    torch.manual_seed(0)
    x, y = torch.randn(10, 8), torch.randint(3, (10,))
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
    data = TensorDataset(x, y)
    loader = DataLoader(data, batch_size=5)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    logits = model(x)
    return {
        "__name__": "prelude",
        "torch": torch,
        "nn": nn,
        "F": F,
        "np": np,
        "os": os,
        "Path": Path,
        "DataLoader": DataLoader,
        "Dataset": Dataset,
        "TensorDataset": TensorDataset,
        "device": torch.device("cpu"),
        "epochs": 1,
        "num_classes": 3,
        "lr": 0.1,
        "rank": 0,
        "n": 4,
        "k": 2,
        "x": x,
        "y": y,
        "a": torch.ones(3),
        "b": torch.ones(3),
        "model": model,
        "net": model,
        "data": data,
        "dataset": data,
        "loader": loader,
        "train_loader": loader,
        "val_loader": loader,
        "test_loader": loader,
        "inputs": x,
        "labels": y,
        "target": y,
        "targets": y,
        "mask": torch.ones(10, dtype=torch.bool),
        "logits": logits,
        "outputs": logits,
        "output": logits,
        "out": logits,
        "loss": criterion(logits, y),
        "scores": torch.rand(10),
        "tensor": torch.ones(3),
        "layer": model[0],
        "criterion": criterion,
        "loss_fn": criterion,
        "optimizer": optimizer,
        "batch": (x, y),
        "scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 1),
        "images": torch.rand(2, 3, 32, 32),
        "image": torch.rand(3, 32, 32),
        "path": "checkpoint.pt",
        "tensors": [torch.ones(3), torch.ones(3)],
    }
