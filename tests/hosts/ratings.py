"""Users and things by embeddings, scores by a dot product, ids from a table, top three for one user."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

USERS, ITEMS = 12, 20


class Factors(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.users = nn.Embedding(users, dim)
        self.items = nn.Embedding(items, dim)
        self.bias = nn.Parameter(torch.zeros(items))

    def forward(self, user, item):
        return (self.users(user) * self.items(item)).sum(1) + self.bias[item]


torch.manual_seed(10)
who = torch.randint(0, USERS, (48,))
what = torch.randint(0, ITEMS, (48,))
stars = torch.randint(1, 6, (48,)).float()
model = Factors(USERS, ITEMS, 4)
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for user, item, star in DataLoader(TensorDataset(who, what, stars), batch_size=16):
    loss = criterion(model(user, item), star)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    user = torch.full((ITEMS,), 3)
    scores = model(user, torch.arange(ITEMS))
    best = torch.topk(scores, 3).indices.tolist()
    weights = model.items.weight.norm(dim=1).cpu().numpy()
print(f"{loss.item():.4f}", best, f"{weights.max():.4f}")
