import torch
from torch import nn

out, wanted = torch.rand(5, 3), torch.rand(5, 3)
print(nn.SmoothL1Loss(out, wanted))  # broken, here
print(nn.SmoothL1Loss()(out, wanted))  # fixed
