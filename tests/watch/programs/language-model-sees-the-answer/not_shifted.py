import torch
from torch import nn

torch.manual_seed(0)
text = torch.randint(0, 12, (400,)).repeat(3)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.out = (
            nn.Embedding(12, 16),
            nn.LSTM(16, 16, batch_first=True),
            nn.Linear(16, 12),
        )

    def forward(self, tokens):
        hidden, state = self.rnn(self.embed(tokens))
        return self.out(hidden), state


model = Model()
opt = torch.optim.Adam(model.parameters(), 1e-2)
for start in range(0, 300, 20):
    rows = torch.stack([text[start + row : start + row + 21] for row in range(8)])
    inputs, targets = rows[:, :-1], rows[:, :-1]  # broken
    inputs, targets = rows[:, :-1], rows[:, 1:]  # fixed
    logits, _ = model(inputs)
    loss = nn.functional.cross_entropy(logits.transpose(1, 2), targets)  # here
    opt.zero_grad()
    loss.backward()
    opt.step()
