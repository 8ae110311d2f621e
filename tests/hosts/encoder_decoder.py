"""A variational autoencoder: two parts, a loss of two terms, a sample, and the loss as a number of Python."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, inputs, hidden, latent):
        super().__init__()
        self.hidden = nn.Linear(inputs, hidden)
        self.mean = nn.Linear(hidden, latent)
        self.spread = nn.Linear(hidden, latent)

    def forward(self, x):
        h = F.relu(self.hidden(x))
        return self.mean(h), self.spread(h)


class Decoder(nn.Module):
    def __init__(self, latent, hidden, outputs):
        super().__init__()
        self.hidden = nn.Linear(latent, hidden)
        self.out = nn.Linear(hidden, outputs)

    def forward(self, z):
        return torch.sigmoid(self.out(F.relu(self.hidden(z))))


def vae_loss(made, x, mean, spread):
    same = F.binary_cross_entropy(made, x, reduction="sum")
    apart = -0.5 * torch.sum(1 + spread - mean.pow(2) - spread.exp())
    return (same + apart) / len(x)


torch.manual_seed(8)
data = torch.rand(32, 5, 4)
encoder, decoder = Encoder(20, 16, 3), Decoder(3, 16, 20)
parameters = list(encoder.parameters()) + list(decoder.parameters())
opt = torch.optim.Adam(parameters, lr=3e-3)
trace = []
for start in range(0, 32, 8):
    x = data[start : start + 8].view(8, -1)
    mean, spread = encoder(x)
    z = mean + torch.exp(0.5 * spread) * torch.randn_like(mean)
    made = decoder(z)
    loss = vae_loss(made, x, mean, spread)
    opt.zero_grad()
    loss.backward()
    opt.step()
    trace.append(loss.item())
with torch.no_grad():
    sample = decoder(torch.randn(2, 3)).view(2, 5, 4)
print([round(each, 3) for each in trace], tuple(sample.shape))
