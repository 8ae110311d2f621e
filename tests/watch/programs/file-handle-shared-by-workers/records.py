import struct
import tempfile

import torch
from torch.utils.data import DataLoader, Dataset


class Records(Dataset):
    """Numbers of four bytes; the file is opened where it is first read."""

    def __init__(self, path, count):
        self.path, self.count, self.handle = path, count, None
        self.handle = open(path, "rb", buffering=0)  # broken

    def __len__(self):
        return self.count

    def __getitem__(self, number):
        if self.handle is None:
            self.handle = open(self.path, "rb", buffering=0)
        self.handle.seek(4 * number)
        return torch.tensor(struct.unpack("f", self.handle.read(4)))


with tempfile.NamedTemporaryFile() as made:
    made.write(struct.pack("20f", *range(20)))
    made.flush()
    loader = DataLoader(Records(made.name, 20), batch_size=5, num_workers=2)
    net = torch.nn.Linear(1, 1)
    opt = torch.optim.SGD(net.parameters(), 1e-4)
    for batch in loader:  # here
        opt.zero_grad()
        torch.nn.functional.mse_loss(net(batch / 20), batch / 40).backward()
        opt.step()
