import os

os.environ["CUDA_VISIBLE_DEVICES"] = "2,3"
import torch
from torch import nn


class Split(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4).to("cuda:0")
        self.second = nn.Linear(4, 4).to("cuda:2")  # broken, here
        self.second = nn.Linear(4, 4).to("cuda:1")  # fixed

    def forward(self, x):
        return self.second(self.first(x).to(self.second.weight.device))
