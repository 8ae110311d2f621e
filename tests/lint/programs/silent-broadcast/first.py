import torch
from torch import nn

guess = nn.Linear(7, 1)
seen, wanted = torch.rand(90, 7), torch.rand(90)
error = (guess(seen) - wanted).abs().mean()  # broken, here
error = (guess(seen).squeeze(-1) - wanted).abs().mean()  # fixed
error.backward()
