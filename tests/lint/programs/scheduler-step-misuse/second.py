import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 4


class Trainer:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, max_lr=1e-3, epochs=EPOCHS, steps_per_epoch=len(loader)
        )

    def one_epoch(self):
        for x, y in self.loader:
            loss = nn.functional.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            #: self.scheduler.step()

    def fit(self):
        for epoch in range(EPOCHS):
            self.one_epoch()
            self.scheduler.step()  # here broken


data = TensorDataset(torch.randn(96, 6), torch.randint(0, 3, (96,)))
Trainer(nn.Linear(6, 3), DataLoader(data, batch_size=16, shuffle=True)).fit()
