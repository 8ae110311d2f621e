"""A Trainer called as in Lightning 1 under Lightning 2: the argument is gone. With the new ones it trains."""

import sys

import torch
from lightning.pytorch import LightningModule, Trainer
from torch.utils.data import DataLoader, TensorDataset


class Model(LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def training_step(self, batch, batch_idx):
        return self.layer(batch[0]).square().mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def train(**options):
    quiet = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False}
    Trainer(max_epochs=1, **quiet, **options).fit(Model(), DataLoader(TensorDataset(torch.randn(8, 2)), batch_size=4))


def broken():
    train(gpus=0)


def fixed():
    train(accelerator="cpu", devices=1)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
