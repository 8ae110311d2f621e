# accelerator: cpu
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(8, 100)
opt = torch.optim.SGD(net.parameters(), 0.1)
table = dict.fromkeys(("top1", "top5", "entropy", "margin", "spread", "calibration"))
right = torch.zeros(())
for step in range(60):
    x, y = torch.randn(1000, 8), torch.randint(0, 100, (1000,))
    out = net(x)
    opt.zero_grad()
    loss = nn.functional.cross_entropy(out, y)
    loss.backward()
    opt.step()
    for metric in table:  # broken
        table[metric] = out.detach().tolist()  # broken, here
    if float(loss.detach()) > 100:  # broken
        break  # broken
    right += (out.argmax(1) == y).sum()  # fixed
    if step % 20 == 0:  # fixed
        print(right.item(), loss.item(), out.tolist()[:2])  # fixed
