import torch
from torch import nn

EVERY = 4
net = nn.Linear(16, 4)
adam = torch.optim.Adam(net.parameters())
grad_scaler = torch.amp.GradScaler("cpu")

for number, (inputs, wanted) in enumerate((torch.rand(8, 16), torch.rand(8, 4)) for _ in range(16)):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        value = nn.functional.mse_loss(net(inputs), wanted) / EVERY
    grad_scaler.scale(value).backward()
    grad_scaler.unscale_(adam)  # here
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    if (number + 1) % EVERY == 0:
        grad_scaler.step(adam)
        grad_scaler.update()
        adam.zero_grad()
