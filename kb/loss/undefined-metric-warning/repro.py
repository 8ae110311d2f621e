"""A classifier is trained on data of which 96 % belong to one class, and never predicts the two others: precision is 0/0 there and
scikit-learn warns. With class weights every class is predicted."""

import sys

import torch
from sklearn.metrics import precision_score
from torch import nn


def train_and_score(weighted):
    torch.manual_seed(0)
    y = torch.cat([torch.zeros(960), torch.ones(20), torch.full((20,), 2.0)]).long()
    centres = torch.tensor([[0.0, 0.0], [1.2, 0.0], [0.0, 1.2]])
    x = centres[y] + torch.randn(1000, 2)
    counts = torch.bincount(y).float()
    weight = counts.sum() / (3 * counts) if weighted else torch.ones(3)
    model = nn.Linear(2, 3)
    criterion = nn.CrossEntropyLoss(weight=weight)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    predicted = model(x).argmax(dim=1)
    print("predicted per class:", predicted.bincount(minlength=3).tolist())
    print("precision:", precision_score(y.numpy(), predicted.numpy(), average="macro"))


def broken():
    train_and_score(weighted=False)


def fixed():
    train_and_score(weighted=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
