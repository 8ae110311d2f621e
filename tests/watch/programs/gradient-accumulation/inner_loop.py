import torch
from torch import nn

MICRO = 3
torch.manual_seed(2)
model = nn.Sequential(nn.Linear(6, 12), nn.GELU(), nn.Linear(12, 4))
opt = torch.optim.AdamW(model.parameters(), 1e-3)
criterion = nn.CrossEntropyLoss()


def micro_batch():
    return torch.randn(8, 6), torch.randint(0, 4, (8,))


for step in range(8):
    opt.zero_grad(set_to_none=True)
    for _ in range(MICRO):
        x, y = micro_batch()
        loss = criterion(model(x), y)
        loss = loss / MICRO  # fixed
        loss.backward()  # here
    opt.step()
