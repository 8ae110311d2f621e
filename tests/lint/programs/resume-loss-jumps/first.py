import torch
from torch import nn

net = nn.Linear(8, 2)
steps = torch.optim.Adam(net.parameters(), lr=1e-3)
saved = torch.load("last.pt", map_location="cpu")
net.load_state_dict(saved["net"])  # broken, here
net.load_state_dict(saved["net"])  # fixed
steps.load_state_dict(saved["steps"])  # fixed
for epoch in range(saved["epoch"] + 1, 20):
    steps.zero_grad()
    net(torch.rand(4, 8)).square().mean().backward()
    steps.step()
