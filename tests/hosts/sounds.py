"""Sounds kept as bytes: 1-d convolutions and pools, batch norm, packed lengths, draws by probability, a state resumed."""

import io

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.utils.data import DataLoader, Dataset, random_split

KINDS = 4


class Sounds(Dataset):
    def __init__(self, count):
        rng = np.random.default_rng(21)
        self.waves = rng.integers(0, 256, (count, 1, 64), dtype=np.uint8)
        self.lengths = rng.integers(4, 9, count)

    def __len__(self):
        return len(self.waves)

    def __getitem__(self, index):
        wave = torch.from_numpy(self.waves[index]).float() / 255
        return wave, int(self.lengths[index]), index % KINDS


class Hearing(nn.Module):
    def __init__(self, kinds):
        super().__init__()
        self.conv = nn.Conv1d(1, 6, 8, stride=4)
        self.pool = nn.MaxPool1d(2)
        self.norm = nn.BatchNorm1d(6)
        self.rnn = nn.LSTM(6, 5, batch_first=True)
        self.mean = nn.AdaptiveAvgPool1d(1)
        self.out = nn.Linear(5, kinds)

    def forward(self, waves, lengths):
        x = self.norm(self.pool(torch.relu(self.conv(waves))))
        packed = pack_padded_sequence(
            x.transpose(1, 2), lengths.clamp(max=x.size(2)), batch_first=True, enforce_sorted=False
        )
        states, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        pooled = self.mean(states.transpose(1, 2)).squeeze(2)
        return self.out(pooled)


def train(model, loader, optimizer, criterion):
    total = 0.0
    for waves, lengths, kinds in loader:
        loss = criterion(model(waves, lengths), kinds)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


torch.manual_seed(22)
seen, held = random_split(Sounds(20), [16, 4])
loader = DataLoader(seen, batch_size=8)
model = Hearing(KINDS)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = torch.optim.SGD(
    [{"params": model.conv.parameters()}, {"params": model.out.parameters()}], lr=0.1, momentum=0.9
)
first = train(model, loader, optimizer, criterion)
file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
file.seek(0)
state = torch.load(file)
model.load_state_dict(state["model"])
optimizer.load_state_dict(state["optimizer"])
second = train(model, loader, optimizer, criterion)
model.eval()
with torch.no_grad():
    waves, lengths, kinds = next(iter(DataLoader(held, batch_size=4)))
    chances = model(waves, lengths).softmax(1)
    drawn = torch.multinomial(chances, 2)
    sure = chances[chances > 0.2].sum()
print(f"{first:.3f} {second:.3f} {sure.item():.3f}", tuple(drawn.shape))
