import torch
from torch import nn


def load(path):
    net = nn.Linear(4, 2)
    net = net.load_state_dict(torch.load(path, map_location="cpu"))  # here broken
    #: net.load_state_dict(torch.load(path, map_location="cpu"))
    net.eval()
    return net


load("linear.pt")
