import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)
words = nn.Embedding(30, 8)
head = nn.Linear(8, 30)
opt = torch.optim.AdamW([*words.parameters(), *head.parameters()], 1e-3)
for step in range(6):
    text = torch.randint(1, 30, (4, 9))
    labels = text.clone()
    labels[:, :9] = -100  # broken
    labels[:, :3] = -100  # fixed
    logits = head(words(text))
    summed = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="sum")  # here
    loss = summed / (labels != -100).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
