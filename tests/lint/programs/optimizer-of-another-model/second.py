import torch
import torchvision

model = torchvision.models.resnet18(weights="DEFAULT")
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)  # broken
model.fc = torch.nn.Linear(model.fc.in_features, 2)  # here
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)  # fixed
for images, labels in [(torch.rand(2, 3, 64, 64), torch.tensor([0, 1]))]:
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(images), labels).backward()
    optimizer.step()
