"""Much is kept for a while: a replay buffer with a bound, a data set that caches itself, results of an epoch."""

import random
from collections import deque, namedtuple

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

Transition = namedtuple("Transition", "state action reward")


class Replay:
    def __init__(self, capacity):
        self.capacity, self.memory, self.position = capacity, [], 0

    def push(self, *given):
        if len(self.memory) < self.capacity:
            self.memory.append(None)
        self.memory[self.position] = Transition(*given)
        self.position = (self.position + 1) % self.capacity

    def sample(self, count):
        return [random.choice(self.memory) for _ in range(count)]


class Cached(Dataset):
    def __init__(self):
        self.cache = {}

    def __len__(self):
        return 160

    def __getitem__(self, index):
        if index not in self.cache:
            self.cache[index] = torch.randn(200000), index % 2
        signal, label = self.cache[index]
        return signal[:32], label


torch.manual_seed(0)
random.seed(0)

replay, recent = Replay(400), deque(maxlen=300)
net = nn.Linear(64, 2)
opt = torch.optim.Adam(net.parameters(), 1e-3)
for step in range(300):
    state = torch.randn(512, 64)
    recent.append(state.clone())
    replay.push(state, random.randrange(2), torch.rand(512))
    chosen = replay.sample(4)
    states = torch.stack([one.state[0] for one in chosen])
    opt.zero_grad()
    wanted = torch.stack([one.reward[0] for one in chosen])
    nn.functional.mse_loss(net(states).max(1).values, wanted).backward()
    opt.step()

net = nn.Linear(32, 2)
opt = torch.optim.SGD(net.parameters(), 0.01)
for workers in (0, 1):
    loader = DataLoader(
        Cached(), batch_size=2, shuffle=True, num_workers=workers, persistent_workers=workers > 0
    )
    for epoch in range(3):
        outputs = []
        for x, y in loader:
            opt.zero_grad()
            out = net(x)
            nn.functional.cross_entropy(out, y).backward()
            opt.step()
            outputs.append(out.detach().repeat(1, 40000))
        print(epoch, torch.cat(outputs).mean())
