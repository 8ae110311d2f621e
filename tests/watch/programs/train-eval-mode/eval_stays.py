import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.5), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def evaluate():
    model.eval()
    with torch.no_grad():
        return model(torch.randn(4, 8)).argmax(1)


for epoch in range(3):
    model.train()  # fixed
    for _ in range(4):
        optimizer.zero_grad()
        out = model(torch.randn(16, 8))  # here
        nn.functional.cross_entropy(out, torch.randint(0, 2, (16,))).backward()
        optimizer.step()
    evaluate()
