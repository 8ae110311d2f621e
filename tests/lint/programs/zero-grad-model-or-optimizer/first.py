import torch
from torch import nn


def gan_step(gen, dis, opt_g, opt_d, real):
    fake = gen(torch.randn(real.size(0), 8))
    opt_g.zero_grad()  # broken, here
    opt_d.zero_grad()  # fixed
    loss = dis(fake.detach()).mean() - dis(real).mean()
    loss.backward()
    opt_d.step()


generator, critic = nn.Linear(8, 4), nn.Linear(4, 1)
og, od = torch.optim.RMSprop(generator.parameters()), torch.optim.RMSprop(critic.parameters())
for _ in range(3):
    gan_step(generator, critic, og, od, torch.rand(16, 4))
