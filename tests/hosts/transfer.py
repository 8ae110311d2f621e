"""A trained backbone taken over by its weights and frozen, a new head, a device by name, one picture served."""

import os
import tempfile

import numpy as np
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class Backbone(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 3, stride=2)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, stride=2)
        self.pool = nn.AdaptiveAvgPool2d(1)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x = torch.relu(self.conv2(x))
        return self.pool(x).flatten(1)


class Classifier(nn.Module):
    def __init__(self, backbone, classes):
        super().__init__()
        self.backbone = backbone
        self.norm = nn.BatchNorm1d(16)
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(torch.relu(self.norm(self.backbone(x))))


torch.manual_seed(16)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "backbone.pt")
    torch.save(Backbone().state_dict(), path)
    backbone = Backbone()
    backbone.load_state_dict(torch.load(path, map_location=device))
for parameter in backbone.parameters():
    parameter.requires_grad = False
model = Classifier(backbone, 2).to(device)
rng = np.random.default_rng(17)
pictures = torch.from_numpy(rng.normal(size=(20, 3, 15, 15)).astype(np.float32))
kinds = torch.from_numpy(rng.integers(0, 2, 20))
weight = torch.tensor([1.0, 2.0]).to(device)
criterion = nn.CrossEntropyLoss(weight=weight)
optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=8)
for epoch in range(2):
    model.train()
    for start in range(0, 20, 5):
        x, y = pictures[start : start + 5].to(device), kinds[start : start + 5].to(device)
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
model.eval()
with torch.no_grad():
    one = model(pictures[0].unsqueeze(0).to(device))
    scores = model(pictures.to(device)).softmax(1)
sure = scores[:, 1].cpu().numpy()
print(f"{loss.item():.4f} {one.argmax(1).item()} {np.round(sure[:3], 3).tolist()}")
