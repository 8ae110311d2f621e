"""A network trained on batches gets one image straight from the data set. The convolution takes (C, H, W), the batch norm after it
does not; with unsqueeze(0) the image is a batch of one."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
dataset = torch.utils.data.TensorDataset(torch.randn(32, 3, 16, 16), torch.arange(32) % 4)
model = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1),
    nn.BatchNorm2d(8),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(8, 4),
).to(device)


def train():
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in torch.utils.data.DataLoader(dataset, batch_size=8):
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def predict(image):
    model.eval()
    return model(image.to(device)).argmax(1).item()


def broken():
    train()
    image, _ = dataset[0]
    print("class", predict(image))


def fixed():
    train()
    image, _ = dataset[0]
    print("class", predict(image.unsqueeze(0)))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
