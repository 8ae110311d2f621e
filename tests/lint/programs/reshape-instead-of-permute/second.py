import torch

images = torch.rand(16, 32, 32, 3)
batch, height, width, channels = images.shape
conv = torch.nn.Conv2d(3, 8, 3)
inputs = images.reshape(batch, channels, height, width)  # here broken
#: inputs = images.permute(0, 3, 1, 2)
print(conv(inputs).shape)
