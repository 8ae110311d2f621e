import torch
from torch import nn

torch.manual_seed(0)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(20, 8), nn.Linear(8, 20)

    def forward(self, text):  # here
        return self.out(self.words(text).cumsum(1))


model = Reader()
fast = torch.compile(model, backend="eager", dynamic=False)  # broken
fast = torch.compile(model, backend="eager", dynamic=True)  # fixed
opt = torch.optim.Adam(model.parameters(), 1e-2)
for step in range(12):
    text = torch.randint(0, 20, (4, 5 + step))
    opt.zero_grad()
    logits = fast(text[:, :-1])
    nn.functional.cross_entropy(logits.flatten(0, 1), text[:, 1:].flatten()).backward()
    opt.step()
