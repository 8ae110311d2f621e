import torch
from torch import nn


class Loop:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.cuda.amp.GradScaler()

    def step(self, x):
        self.optimizer.zero_grad()
        with torch.cuda.amp.autocast():
            loss = self.model(x).square().mean()
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)  # fixed
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # here
        self.scaler.step(self.optimizer)
        self.scaler.update()


loop = Loop(nn.Linear(4, 4).cuda())
for _ in range(10):
    loop.step(torch.rand(2, 4).cuda())
