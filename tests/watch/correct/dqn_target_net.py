import copy
import random

import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
target = copy.deepcopy(q)
opt = torch.optim.Adam(q.parameters(), 1e-3)
memory = []
for step in range(60):
    state = torch.randn(4)
    with torch.no_grad():
        action = q(state).argmax().item() if random.random() > 0.2 else random.randrange(2)
    memory.append((state, action, random.random(), torch.randn(4)))
    if len(memory) >= 16:
        batch = random.sample(memory, 16)
        s, s2 = torch.stack([b[0] for b in batch]), torch.stack([b[3] for b in batch])
        a, r = torch.tensor([b[1] for b in batch]), torch.tensor([b[2] for b in batch])
        with torch.no_grad():
            y = r + 0.9 * target(s2).max(1)[0]
        loss = nn.functional.smooth_l1_loss(q(s).gather(1, a[:, None]).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    if step % 20 == 0:
        target.load_state_dict(q.state_dict())
