import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Houses(Dataset):
    def __init__(self, table):
        self.x = torch.tensor(table[["rooms", "area"]].values).float()
        self.y = torch.tensor(table["price"].values).float()  # broken
        self.y = torch.tensor(table[["price"]].values).float()  # fixed

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


model = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters())
for x, y in DataLoader(Houses(pd.read_csv("houses.csv")), batch_size=16, shuffle=True):
    loss = nn.functional.l1_loss(model(x), y)  # broken, here
    loss = nn.functional.l1_loss(model(x), y)  # fixed
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
