import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("gloo")
data = TensorDataset(torch.rand(64, 4), torch.randint(0, 2, (64,)))
part = DataLoader(data, batch_size=8, sampler=DistributedSampler(data, shuffle=False))
net = torch.nn.Linear(4, 2).eval()
right = torch.zeros(())
with torch.no_grad():
    for inputs, classes in part:
        right += (net(inputs).argmax(1) == classes).sum()
print(right / len(data))  # broken, here
dist.all_reduce(right)  # fixed
print(right / len(data))  # fixed
