"""A module built on pytorch_lightning is given to the Trainer of lightning, a separate package with classes of the same names, which refuses
it. With both from one package it trains."""

import sys
import tempfile
import warnings

import lightning
import pytorch_lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.simplefilter("ignore")


def train(package):
    class Net(package.LightningModule):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(4, 1)

        def training_step(self, batch, index):
            return self.layer(batch[0]).square().mean()

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.1)

    data = DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=4)
    with tempfile.TemporaryDirectory() as folder:
        trainer = lightning.Trainer(
            max_epochs=1,
            accelerator="cpu",
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            default_root_dir=folder,
        )
        trainer.fit(Net(), data)
        print("steps", trainer.global_step)


def broken():
    train(pytorch_lightning)


def fixed():
    train(lightning)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
