"""Gestures of unequal length: a dataset, a collate function, packed sequences; training stops and is resumed."""

import io

import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset, random_split

CLASSES = 3


class Gestures(Dataset):
    def __init__(self, count):
        rng = np.random.default_rng(14)
        self.paths = [rng.normal(size=(4 + number % 5, 2)) for number in range(count)]

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        path = torch.from_numpy(self.paths[index]).float()
        return path, index % CLASSES


def together(samples):
    paths, classes = zip(*samples)
    lengths = torch.tensor([len(path) for path in paths])
    return pad_sequence(paths, batch_first=True), lengths, torch.tensor(classes)


class Reader(nn.Module):
    def __init__(self, inputs, hidden, classes):
        super().__init__()
        self.rnn = nn.GRU(inputs, hidden, batch_first=True)
        self.out = nn.Linear(hidden, classes)

    def forward(self, paths, lengths):
        packed = pack_padded_sequence(paths, lengths, batch_first=True, enforce_sorted=False)
        _, last = self.rnn(packed)
        return self.out(last[-1])


torch.manual_seed(15)
train, held = random_split(Gestures(15), [12, 3])
loader = DataLoader(train, batch_size=4, collate_fn=together)
model = Reader(2, 6, CLASSES)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
criterion = nn.CrossEntropyLoss()
saved, history = io.BytesIO(), []
for epoch in range(3):
    if epoch == 2:
        saved.seek(0)
        state = torch.load(saved)
        model = Reader(2, 6, CLASSES)
        model.load_state_dict(state["model"])
        optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
        optimizer.load_state_dict(state["optimizer"])
    total = 0.0
    for paths, lengths, classes in loader:
        loss = criterion(model(paths, lengths), classes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    scheduler.step(total)
    history.append(total)
    if epoch == 1:
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, saved)
paths, lengths, classes = next(iter(DataLoader(held, batch_size=3, collate_fn=together)))
model.eval()
right = (model(paths, lengths).argmax(1) == classes).sum().item()
print([round(each, 3) for each in history], right)
