import torch
from torch import nn

torch.manual_seed(2)
encoder, head = nn.Linear(6, 4), nn.Linear(4, 1)
slow, fast = torch.optim.SGD(encoder.parameters(), lr=0.01), torch.optim.AdamW(head.parameters(), lr=0.01)


def train_step(x, y):
    slow.zero_grad(set_to_none=True)  # fixed
    fast.zero_grad(set_to_none=True)
    nn.functional.l1_loss(head(torch.tanh(encoder(x))), y).backward()  # here
    slow.step()
    fast.step()


for _ in range(8):
    x = torch.randn(10, 6)
    train_step(x, x.mean(1, keepdim=True))
