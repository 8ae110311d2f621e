import torch
from torch import nn
from torch.utils.data import DataLoader


def pair(index):
    return torch.full((60000,), float(index % 7)), torch.tensor(float(index % 7))


class Pairs(torch.utils.data.Dataset):
    def __len__(self):
        return 96

    def __getitem__(self, index):
        return pair(index)


torch.manual_seed(0)
net = nn.Linear(60000, 1)
opt = torch.optim.SGD(net.parameters(), 1e-7)
worst = {}
step = 0
for epoch in range(7):
    for x, y in DataLoader(Pairs(), batch_size=4, shuffle=True, num_workers=1):
        opt.zero_grad()
        loss = nn.functional.smooth_l1_loss(net(x)[:, 0], y)
        loss.backward()
        opt.step()
        worst[step] = (loss.item(), x)  # broken, here
        worst[step] = (loss.item(), y.clone())  # fixed
        step += 1
