import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

class Trainer:
    def __init__(self, model, data):
        self.model = DistributedDataParallel(model)
        self.sampler = DistributedSampler(data)  # broken, here
        self.sampler = DistributedSampler(data)  # fixed
        self.loader = DataLoader(data, sampler=self.sampler)

    def fit(self, epochs):
        for epoch in range(epochs):
            self.sampler.set_epoch(epoch)  # fixed
            for x in self.loader:
                self.model(x).mean().backward()
