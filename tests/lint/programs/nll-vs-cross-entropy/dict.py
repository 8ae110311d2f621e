import torch
from torch import nn

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        out = self.fc(x)
        out = torch.softmax(out, dim=1)  # broken, here
        return {"scores": out, "given": x}

model, criterion = Tagger(), nn.CrossEntropyLoss()
result = model(torch.rand(2, 8))
criterion(result["scores"], torch.tensor([0, 2])).backward()
