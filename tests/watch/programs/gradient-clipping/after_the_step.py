import torch
from torch import nn

torch.manual_seed(3)
rnn, head = nn.GRU(5, 8, batch_first=True), nn.Linear(8, 2)
weights = [*rnn.parameters(), *head.parameters()]
opt = torch.optim.RMSprop(weights, 1e-3)
for _ in range(10):
    x, y = torch.randn(6, 9, 5), torch.randint(0, 2, (6,))
    loss = nn.functional.cross_entropy(head(rnn(x)[0][:, -1]), y)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(weights, 0.5)  # fixed
    opt.step()
    nn.utils.clip_grad_value_(weights, 0.5)  # broken, here
