import torch

x, y = torch.randn(64, 3), torch.randn(64, 1)
weight = torch.zeros(3, 1, requires_grad=True)
rate = 0.1
for step in range(20):
    loss = (x @ weight - y).square().mean()
    loss.backward()
    with torch.no_grad():
        weight = weight - rate * weight.grad  # here
