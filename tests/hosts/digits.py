"""A convolutional classifier over a loader: one epoch of training, then accuracy without gradients."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CLASSES = 7


class Digits(nn.Module):
    def __init__(self, classes=CLASSES):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5)
        self.norm = nn.BatchNorm2d(6)
        self.pool = nn.MaxPool2d(2)
        self.conv2 = nn.Conv2d(6, 8, 3)
        self.fc1 = nn.Linear(8 * 5 * 5, 24)
        self.fc2 = nn.Linear(24, classes)

    def forward(self, x):
        x = self.pool(torch.relu(self.norm(self.conv1(x))))
        x = self.pool(torch.relu(self.conv2(x)))
        x = x.flatten(1)
        x = torch.relu(self.fc1(x))
        return self.fc2(x)


torch.manual_seed(0)
images, labels = torch.randn(24, 1, 28, 28), torch.randint(0, CLASSES, (24,))
loader = DataLoader(TensorDataset(images, labels), batch_size=8)
model = Digits()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
total = 0.0
for batch, target in loader:
    optimizer.zero_grad()
    output = model(batch)
    loss = criterion(output, target)
    loss.backward()
    optimizer.step()
    total += loss.item()
model.eval()
with torch.no_grad():
    predicted = model(images).argmax(1)
    accuracy = (predicted == labels).float().mean()
print(f"{total:.4f} {accuracy.item():.4f}")
