import torch
from torch import nn


def train(generator, judge, loader, noise):
    criterion = nn.BCEWithLogitsLoss()
    of_generator = torch.optim.Adam(generator.parameters())
    of_judge = torch.optim.Adam(judge.parameters())
    for real in loader:
        fake = generator(torch.randn(len(real), noise))
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        of_judge.zero_grad()
        judged = criterion(judge(real), ones) + criterion(judge(fake), zeros)  # broken, here
        judged = criterion(judge(real), ones) + criterion(judge(fake.detach()), zeros)  # fixed
        judged.backward()
        of_judge.step()
        of_generator.zero_grad()
        fooled = criterion(judge(fake), ones)
        fooled.backward()
        of_generator.step()


g, d = nn.Linear(4, 2), nn.Linear(2, 1)
train(g, d, [torch.randn(8, 2) for _ in range(3)], 4)
