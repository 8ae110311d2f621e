import torch

x, y = torch.randn(64, 3), torch.randn(64, 1)
weight = torch.zeros(3, 1, requires_grad=True)
other = torch.zeros(3, 1, requires_grad=True)
rate = 0.1
for step in range(20):
    loss = (x @ weight - y).square().mean() + (x @ other - y).square().mean()
    loss.backward()
    with torch.no_grad():
        weight -= rate * weight.grad
        weight.grad = None
        other = other - rate * other.grad
    other.requires_grad_()
