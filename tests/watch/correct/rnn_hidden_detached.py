import torch
from torch import nn

torch.manual_seed(0)
rnn, head = nn.LSTM(3, 8), nn.Linear(8, 1)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], 0.05)
hidden = None
for _ in range(30):
    x = torch.randn(5, 4, 3)
    out, hidden = rnn(x, hidden)
    hidden = tuple(h.detach() for h in hidden)
    loss = nn.functional.mse_loss(head(out), x[..., :1])
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(rnn.parameters(), 0.5)
    opt.step()
