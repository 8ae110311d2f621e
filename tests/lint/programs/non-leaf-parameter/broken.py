import torch

start = torch.rand(10, requires_grad=True) * 0.1  # here
search = torch.optim.Adam([start])
