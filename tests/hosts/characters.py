"""A small language model of characters: places learned, a causal mask, shifted targets, text made at the end."""

import torch
import torch.nn as nn
import torch.nn.functional as F

TEXT = "the cat sat on the mat and the dog sat on the log "
LETTERS = sorted(set(TEXT))
LENGTH = 8


class Layer(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.mix = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.first, self.second = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.wide = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def attend(self, x):
        b, t, c = x.shape
        q, k, v = self.mix(x).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        mask = torch.tril(torch.ones(t, t)).bool()
        scores = q @ k.transpose(-2, -1) / (c // self.heads) ** 0.5
        shares = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        return self.out((shares @ v).transpose(1, 2).reshape(b, t, c))

    def forward(self, x):
        x = x + self.attend(self.first(x))
        return x + self.wide(self.second(x))


class Model(nn.Module):
    def __init__(self, letters, length, dim=12):
        super().__init__()
        self.table = nn.Embedding(letters, dim)
        self.places = nn.Embedding(length, dim)
        self.layer = Layer(dim, 3)
        self.head = nn.Linear(dim, letters)

    def forward(self, ids):
        x = self.table(ids) + self.places(torch.arange(ids.size(1)))
        return self.head(self.layer(x))


torch.manual_seed(13)
ids = torch.tensor([LETTERS.index(letter) for letter in TEXT])
model = Model(len(LETTERS), LENGTH)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
losses = []
for step in range(4):
    starts = range(step, step + 30, 6)
    batch = torch.stack([ids[at : at + LENGTH] for at in starts])
    nexts = torch.stack([ids[at + 1 : at + LENGTH + 1] for at in starts])
    logits = model(batch)
    loss = F.cross_entropy(logits.view(-1, len(LETTERS)), nexts.view(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
made = ids[:4].unsqueeze(0)
with torch.no_grad():
    for _ in range(4):
        following = model(made)[:, -1].argmax(-1, keepdim=True)
        made = torch.cat([made, following], dim=1)
print([round(each, 3) for each in losses], "".join(LETTERS[each] for each in made[0].tolist()))
