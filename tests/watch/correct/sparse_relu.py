"""Rectified units of which most are silent for any one sample: an overcomplete autoencoder with a penalty."""

import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder, act = nn.Linear(16, 128), nn.Linear(128, 16), nn.ReLU()
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], 1e-3)
basis = torch.randn(16, 16)
for step in range(80):
    x = (torch.rand(64, 16) < 0.2).float() @ basis
    codes = act(encoder(x))
    loss = nn.functional.mse_loss(decoder(codes), x) + 1e-3 * codes.abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
