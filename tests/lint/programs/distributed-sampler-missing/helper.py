from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

def loader_of(data):
    sampler = DistributedSampler(data)  # broken, here
    sampler = DistributedSampler(data)  # fixed
    return DataLoader(data, sampler=sampler), sampler

model = DistributedDataParallel(net)
loader, sampler = loader_of(data)
for epoch in range(9):
    sampler.set_epoch(epoch)  # fixed
    for x in loader:
        model(x).mean().backward()
