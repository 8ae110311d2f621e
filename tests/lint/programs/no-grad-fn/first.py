import torch

x, y = torch.randn(64, 3), torch.randn(64, 1)
weight = torch.zeros(3, 1, requires_grad=True)
other = torch.zeros(3, 1, requires_grad=True)  # fixed
rate = 0.1
for step in range(20):
    loss = (x @ weight - y).square().mean()  # broken
    loss = (x @ weight - y).square().mean() + (x @ other - y).square().mean()  # fixed
    loss.backward()
    with torch.no_grad():
        weight = weight - rate * weight.grad  # broken, here
        weight -= rate * weight.grad  # fixed
        weight.grad = None  # fixed
        other = other - rate * other.grad  # fixed
    other.requires_grad_()  # fixed
