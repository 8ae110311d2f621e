import torch
from torch import nn

model = nn.Linear(4, 3)
x, y = torch.rand(8, 4), torch.randint(0, 3, (8,))
output = model(x)
loss = nn.CrossEntropyLoss(output, y)  # here broken
#: loss = nn.CrossEntropyLoss()(output, y)
print(loss)
