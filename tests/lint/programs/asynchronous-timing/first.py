import time

import torch
from torch import nn

big = nn.Linear(4096, 4096).cuda()
rows = torch.rand(2048, 4096, device="cuda")
began = time.perf_counter()
result = big(rows)
took = time.perf_counter() - began  # broken, here
torch.cuda.synchronize()  # fixed
took = time.perf_counter() - began  # fixed
print(took)
