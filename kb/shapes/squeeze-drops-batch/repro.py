"""A classifier ends with squeeze() to get from (N, C, 1, 1) to (N, C). Images sent one by one lose the batch dimension too, and the loop over the
rows sees class scores instead of samples; squeezing only the last two dimensions keeps it."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class Net(nn.Module):
    def __init__(self, squeeze):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Conv2d(16, 4, 1)
        )
        self.squeeze = squeeze

    def forward(self, x):
        return self.squeeze(self.body(x))


@torch.no_grad()
def predict(model, images, batch_size):
    classes = []
    for batch in images.split(batch_size):
        names = range(len(batch))
        for row, _ in zip(model(batch), names):
            classes.append(row.argmax().item())
    return torch.tensor(classes)


def run(squeeze):
    torch.manual_seed(0)
    labels = torch.arange(64) % 4
    images = torch.randn(64, 3, 8, 8) * 0.1
    for number, (channel, sign) in enumerate([(0, 1), (1, 1), (2, 1), (0, -1)]):  # each class has its colour
        images[labels == number, channel] += sign
    images, labels = images.to(device), labels.to(device)
    model = Net(squeeze).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(60):
        loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    together, alone = predict(model, images, 16), predict(model, images, 1)
    right = [round((guess == labels.cpu()).float().mean().item(), 3) for guess in (together, alone)]
    print(json.dumps({"accuracy_batches": right[0], "accuracy_one_by_one": right[1]}))
    if right[0] - right[1] > 0.3:
        sys.exit(f"symptom: accuracy is {right[0]:.0%} in batches of 16 and {right[1]:.0%} one by one")


def broken():
    run(lambda x: x.squeeze())


def fixed():
    run(lambda x: x.squeeze(3).squeeze(2))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
