import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
EPOCHS = 5


def main():
    data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
    train, val = DataLoader(data, batch_size=8, shuffle=True), DataLoader(data, batch_size=16)
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), 0.05)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS)  # broken
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS * len(train))  # fixed
    for epoch in range(EPOCHS):
        for x, y in train:
            loss = nn.functional.mse_loss(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()  # here
        with torch.no_grad():
            for x, y in val:
                net(x)


main()
