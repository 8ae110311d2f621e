import torch
from torch import nn

torch.manual_seed(0)
attention = nn.MultiheadAttention(8, 2, batch_first=True)
head = nn.Linear(8, 2)
opt = torch.optim.Adam([*attention.parameters(), *head.parameters()], 1e-3)
mask = torch.triu(torch.full((6, 6), float("-inf")), 1)
for step in range(8):
    x, y = torch.randn(4, 6, 8), torch.randint(0, 2, (4,))
    if step == 3:
        x[1, 2, 3] = float("nan")  # broken
        x[1, 2, 3] = 0.0  # fixed
    seen, _ = attention(x, x, x, attn_mask=mask)  # here
    opt.zero_grad()
    nn.functional.cross_entropy(head(seen[:, -1]), y).backward()
    opt.step()
