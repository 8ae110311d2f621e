import torch
import torch.nn.functional as F
from torch import nn

teacher = nn.Linear(12, 5).eval()
student = nn.Sequential(nn.Linear(12, 8), nn.ReLU(), nn.Linear(8, 5))
adam = torch.optim.Adam(student.parameters(), lr=1e-3)

for step in range(50):
    x = torch.randn(16, 12)
    with torch.no_grad():
        wanted = F.softmax(teacher(x) / 2, dim=1)
    given = F.softmax(student(x) / 2, dim=1)  # broken, here
    given = F.log_softmax(student(x) / 2, dim=1)  # fixed
    loss = F.kl_div(given, wanted, reduction="batchmean")
    adam.zero_grad()
    loss.backward()
    adam.step()
