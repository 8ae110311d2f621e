import torch
from torch import nn

restored = nn.Linear(5, 5)
restored = restored.load_state_dict(torch.load("linear.pt", map_location="cpu"))  # broken, here
restored.load_state_dict(torch.load("linear.pt", map_location="cpu"))  # fixed
