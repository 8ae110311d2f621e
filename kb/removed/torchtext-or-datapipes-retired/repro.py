"""A pipeline is built from torchdata's datapipes, which torchdata 0.10 has dropped. A data set and a DataLoader give the same batches."""

import importlib
import sys

import torchdata
from torch.utils.data import DataLoader

print("torchdata", torchdata.__version__)


def batches(module, make):
    pipeline = make(importlib.import_module(module))
    print([[int(number) for number in batch] for batch in pipeline])


def broken():
    batches("torchdata.datapipes.iter", lambda pipes: pipes.IterableWrapper(range(6)).batch(3))


def fixed():
    batches("torch.utils.data", lambda data: DataLoader(range(6), batch_size=3))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
