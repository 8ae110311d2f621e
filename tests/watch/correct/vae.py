import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(8, 4), nn.Linear(2, 8)
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], 1e-2)
for _ in range(10):
    x = torch.rand(16, 8)
    mean, log_var = encoder(x).chunk(2, 1)
    out = torch.sigmoid(decoder(mean + torch.randn_like(mean) * (0.5 * log_var).exp()))
    loss = (
        F.binary_cross_entropy(out, x, reduction="sum") - 0.5 * (1 + log_var - mean**2 - log_var.exp()).sum()
    )
    opt.zero_grad()
    loss.backward()
    opt.step()
