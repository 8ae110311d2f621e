"""A LightningModule whose training_step is misspelled: the Trainer finds none. Spelled right, it trains."""

import sys

import torch
from lightning.pytorch import LightningModule, Trainer
from torch.utils.data import DataLoader, TensorDataset


class Base(LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


class Misspelled(Base):
    def train_step(self, batch, batch_idx):
        return self.layer(batch[0]).square().mean()


class Model(Base):
    def training_step(self, batch, batch_idx):
        return self.layer(batch[0]).square().mean()


def train(model):
    quiet = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False}
    Trainer(max_epochs=1, accelerator="cpu", **quiet).fit(model, DataLoader(TensorDataset(torch.randn(8, 2)), batch_size=4))


def broken():
    train(Misspelled())


def fixed():
    train(Model())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
