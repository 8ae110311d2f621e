"""A regression from a table held in NumPy, sizes from a config; the best row is served alone at the end."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

config = {"columns": 9, "hidden": [16, 12], "rate": 0.01}


def make_model(sizes):
    layers = []
    for before, after in zip(sizes, sizes[1:]):
        layers += [nn.Linear(before, after), nn.Tanh()]
    return nn.Sequential(*layers, nn.Linear(sizes[-1], 1))


rng = np.random.default_rng(0)
table = rng.random((40, config["columns"]))
prices = table.sum(axis=1)
features = torch.from_numpy(table).float()
targets = torch.from_numpy(prices).float()
torch.manual_seed(1)
net = make_model([config["columns"], *config["hidden"]])
opt = torch.optim.Adam(net.parameters(), lr=config["rate"])
history = []
for epoch in range(4):
    for start in range(0, 40, 10):
        rows = features[start : start + 10]
        wanted = targets[start : start + 10]
        guess = net(rows).squeeze(1)
        loss = F.mse_loss(guess, wanted)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
    history.append(loss.detach())
curve = torch.stack(history).numpy()
net.eval()
with torch.no_grad():
    best = features[targets.argmax()].unsqueeze(0)
    price = net(best).item()
print(" ".join(f"{each:.4f}" for each in curve), f"{price:.4f}")
