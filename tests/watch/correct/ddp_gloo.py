import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29531")
dist.init_process_group("gloo", rank=0, world_size=1)
torch.manual_seed(0)
net = DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)))
data = TensorDataset(torch.randn(48, 4), torch.randint(0, 2, (48,)))
sampler = DistributedSampler(data)
opt = torch.optim.SGD(net.parameters(), 0.1)
for epoch in range(2):
    sampler.set_epoch(epoch)
    for x, y in DataLoader(data, batch_size=8, sampler=sampler):
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
dist.destroy_process_group()
