import torch
import torchvision

model = torchvision.models.resnet18(weights="DEFAULT")
model.requires_grad = False  # broken, here
model.requires_grad_(False)  # fixed
model.fc = torch.nn.Linear(512, 10)
optimizer = torch.optim.SGD(model.fc.parameters(), lr=1e-2)
