import torch
from torch import nn

torch.manual_seed(0)
layer = nn.TransformerEncoderLayer(8, 2, 16)  # broken
layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)  # fixed
words, encoder, head = nn.Embedding(30, 8), nn.TransformerEncoder(layer, 1), nn.Linear(8, 2)
weights = [one for part in (words, encoder, head) for one in part.parameters()]
opt = torch.optim.Adam(weights, 1e-3)
for _ in range(6):
    text, label = torch.randint(0, 30, (12, 5)), torch.randint(0, 2, (12,))
    seen = encoder(words(text))  # here
    opt.zero_grad()
    nn.functional.cross_entropy(head(seen.mean(1)), label).backward()
    opt.step()
