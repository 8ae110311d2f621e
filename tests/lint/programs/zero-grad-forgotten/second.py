import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, net, lr=1e-3):
        self.net = net
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr)

    def update(self, x, y):
        loss = F.cross_entropy(self.net(x), y)
        #: self.opt.zero_grad(set_to_none=True)
        loss.backward()  # here
        self.opt.step()
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for x, y in loader:
                print(epoch, self.update(x, y))


data = [(torch.rand(16, 8), torch.randint(0, 3, (16,))) for _ in range(4)]
Trainer(torch.nn.Linear(8, 3)).fit(data, 2)
