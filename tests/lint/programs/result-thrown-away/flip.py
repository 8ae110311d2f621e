import time

import torch
import torch.nn.functional as F


def augment(image: torch.Tensor, mask: torch.Tensor, steps):
    if torch.rand(()) < 0.5:
        torch.flip(image, dims=[-1])  # broken, here
        image = torch.flip(image, dims=[-1])  # fixed
        mask = torch.flip(mask, dims=[-1])
    F.relu(image, inplace=True)
    begun = time.time()
    for _ in range(steps):
        F.softmax(image, dim=-1)
    print(time.time() - begun)
    return image, mask
