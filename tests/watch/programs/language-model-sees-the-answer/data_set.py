import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class Windows(Dataset):
    def __init__(self, size):
        self.text, self.size = torch.randint(0, 12, (400,)).repeat(3), size

    def __len__(self):
        return len(self.text) // self.size - 1

    def __getitem__(self, number):
        start = number * self.size
        tokens = self.text[start : start + self.size]
        following = self.text[start : start + self.size]  # broken, here
        following = self.text[start + 1 : start + self.size + 1]  # fixed
        return {"tokens": tokens, "following": following}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn = nn.Embedding(12, 16), nn.GRU(16, 16, batch_first=True)
        self.out = nn.Linear(16, 12)

    def forward(self, tokens):
        return self.out(self.rnn(self.embed(tokens))[0])


model = Model()
opt = torch.optim.Adam(model.parameters(), 1e-2)
for batch in DataLoader(Windows(20), batch_size=4, shuffle=True):
    logits = model(batch["tokens"])
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), batch["following"].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
