import torch

start = (torch.rand(10) * 0.1).requires_grad_()
search = torch.optim.Adam([start])
