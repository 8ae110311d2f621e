import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Table(Dataset):
    def __init__(self):
        self.rows = np.random.default_rng(0).normal(size=(40, 5)).astype("float32")
        self.rows[::7, 3] = np.inf  # broken

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, number):
        row = self.rows[number]
        return {"x": row[:4], "y": row[4:]}


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), 1e-3)
for batch in DataLoader(Table(), 8):
    opt.zero_grad()
    out = net(batch["x"])  # here
    nn.functional.l1_loss(out, batch["y"]).backward()
    opt.step()
