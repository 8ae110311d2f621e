import torch

start = torch.rand(10, requires_grad=True) * 0.1  # broken, here
start = (torch.rand(10) * 0.1).requires_grad_()  # fixed
search = torch.optim.Adam([start])
