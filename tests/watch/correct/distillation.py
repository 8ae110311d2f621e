import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
teacher, student = nn.Linear(6, 4).eval(), nn.Linear(6, 4)
opt = torch.optim.SGD(student.parameters(), 0.1)
for _ in range(8):
    x, y = torch.randn(16, 6), torch.randint(0, 4, (16,))
    with torch.no_grad():
        soft = F.softmax(teacher(x) / 2, 1)
    out = student(x)
    loss = F.kl_div(F.log_softmax(out / 2, 1), soft, reduction="batchmean") + F.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
