import torch

frames = torch.rand(8, 20, 30, 3)
count, height, width, colours = frames.shape
channels_first = frames.view(count, colours, height, width)  # broken, here
channels_first = frames.permute(0, 3, 1, 2)  # fixed
print(channels_first.mean((2, 3)))
