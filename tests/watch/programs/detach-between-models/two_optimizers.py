import torch
from torch import nn

torch.manual_seed(0)
encoder, probe = nn.Linear(6, 4), nn.Linear(4, 2)
decoder = nn.Linear(4, 6)
learner = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.05)
prober = torch.optim.SGD(probe.parameters(), lr=0.05)
for step in range(12):
    x, y = torch.randn(16, 6), torch.randint(0, 2, (16,))
    learner.zero_grad()
    prober.zero_grad()
    code = torch.tanh(encoder(x))
    probed = nn.functional.cross_entropy(probe(code), y)  # broken
    probed = nn.functional.cross_entropy(probe(code.detach()), y)  # fixed
    probed.backward(retain_graph=True)  # broken, here
    probed.backward()  # fixed
    prober.step()
    nn.functional.mse_loss(decoder(code), x).backward()
    learner.step()
