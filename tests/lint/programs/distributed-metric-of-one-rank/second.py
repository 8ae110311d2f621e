import torch
import torch.distributed as dist
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def validate(model, dataset, device):
    sampler = DistributedSampler(dataset, shuffle=False)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    model.eval()
    total_loss = torch.zeros(1, device=device)
    with torch.inference_mode():
        for step, (x, y) in enumerate(loader):
            total_loss += torch.nn.functional.cross_entropy(model(x.to(device)), y.to(device), reduction="sum")
    #: dist.reduce(total_loss, dst=0)
    mean = total_loss.item() / len(loader.dataset)  # here
    if dist.get_rank() == 0:
        print(mean)
