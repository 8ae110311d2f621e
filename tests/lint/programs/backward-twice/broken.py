import torch
from torch import nn


class Chars(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.embedding = nn.Embedding(count, 16)
        self.lstm = nn.LSTM(16, 32, batch_first=True)
        self.head = nn.Linear(32, count)

    def forward(self, x, state):
        y, state = self.lstm(self.embedding(x), state)
        return self.head(y), state


data = torch.randint(20, (400,))
net = Chars(20)
optimizer = torch.optim.Adam(net.parameters())
state = None
for at in range(0, 300, 50):
    x, y = data[at : at + 50][None], data[at + 1 : at + 51][None]
    scores, state = net(x, state)  # here
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), y.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
