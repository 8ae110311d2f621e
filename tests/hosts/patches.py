"""Patches of pictures as tokens, places learned, a class token in front, a mean over tokens, soft targets."""

import torch
import torch.nn as nn


class Patches(nn.Module):
    def __init__(self, size=12, patch=4, dim=16, classes=3):
        super().__init__()
        self.cut = nn.Conv2d(3, dim, patch, stride=patch)
        tokens = (size // patch) ** 2
        self.first = nn.Parameter(torch.zeros(1, 1, dim))
        self.places = nn.Parameter(torch.randn(1, tokens + 1, dim) * 0.02)
        self.mix = nn.MultiheadAttention(dim, 4, batch_first=True)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, images):
        x = self.cut(images).flatten(2).transpose(1, 2)
        first = self.first.expand(x.size(0), -1, -1)
        x = torch.cat((first, x), dim=1) + self.places
        mixed, weights = self.mix(x, x, x)
        x = self.norm(x + mixed)
        return self.head(x[:, 0]), weights


torch.manual_seed(11)
model = Patches()
images = torch.randn(5, 3, 12, 12)
target = torch.tensor([0, 2, 1, 0, 2])
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
for step in range(2):
    logits, weights = model(images)
    loss = nn.functional.nll_loss(torch.log_softmax(logits, dim=1), target)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
shares = torch.softmax(logits, 1).detach().numpy().round(3)
print(f"{loss.item():.4f}", tuple(weights.shape), shares[0].tolist())
