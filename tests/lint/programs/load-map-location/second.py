import torch
from torch import nn


class Service:
    def __init__(self, path):
        self.model = nn.Linear(4, 2)
        self.model.load_state_dict(torch.load(path))  # here broken
        #: self.model.load_state_dict(torch.load(path, map_location="cpu"))


Service("weights.pt")
