import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self, dim=16, length=12):
        super().__init__()
        self.words, self.position = nn.Embedding(20, dim), nn.Embedding(length, dim)
        layer = nn.TransformerEncoderLayer(dim, 2, 32, batch_first=True)
        self.encoder, self.head = nn.TransformerEncoder(layer, 1), nn.Linear(dim, 2)

    def forward(self, ids):
        places = torch.full_like(ids, ids.shape[1] - 1)  # broken
        places = torch.arange(ids.shape[1]).expand_as(ids)  # fixed
        hidden = self.words(ids) + self.position(places)  # broken, here
        hidden = self.words(ids) + self.position(places)  # fixed
        return self.head(self.encoder(hidden).mean(1))


torch.manual_seed(0)
net, ids = Tagger(), torch.randint(20, (240, 12))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for part, y in DataLoader(TensorDataset(ids, (ids[:, 0] > ids[:, 5]).long()), batch_size=20, shuffle=True):
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(part), y).backward()
    optimizer.step()
