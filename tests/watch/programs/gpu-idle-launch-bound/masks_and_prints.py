# accelerator: cpu
import torch
from torch import nn


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.scores = nn.Linear(8, 40)

    def forward(self, x):
        logits = self.scores(x)
        kept = [int(half.sigmoid().gt(0.5).nonzero().shape[0]) for half in logits.chunk(3)]  # broken
        print(kept, logits[:30, :30])  # broken, here
        return logits


torch.manual_seed(0)
net = Detector()
opt = torch.optim.Adam(net.parameters(), 1e-3)
for step in range(40):
    x = torch.randn(2000, 8)
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), x.repeat(1, 5))
    loss.backward()
    opt.step()
    if step % 10 == 9:
        print(step, loss.item())
