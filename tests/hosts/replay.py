"""Values of actions learned from a memory: gather, one-hot by scatter, a copy as target, two parts, one optimizer."""

import copy
import io

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

STATES, ACTIONS = 6, 4


class Values(nn.Module):
    def __init__(self, width, actions):
        super().__init__()
        self.first = nn.Linear(width, 16)
        self.norm = nn.BatchNorm1d(16)
        self.out = nn.Linear(16, actions)
        nn.init.xavier_uniform_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, x):
        return self.out(F.relu(self.norm(self.first(x))))


torch.manual_seed(20)
states = torch.randn(40, STATES)
actions = torch.randint(0, ACTIONS, (40,))
rewards = states.sum(1) + actions.float()
done = torch.rand(40) < 0.2
memory = TensorDataset(states, actions, rewards, done)
kept, held = random_split(memory, [32, 8])
reader = nn.Sequential(nn.Linear(STATES, STATES), nn.ReLU())
model = Values(STATES, ACTIONS)
target = copy.deepcopy(model)
optimizer = torch.optim.Adam(list(reader.parameters()) + list(model.parameters()), lr=0.01)
losses = []
for seen, chosen, reward, ended in DataLoader(kept, batch_size=8):
    values = model(reader(seen)).gather(1, chosen.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        later = target(reader(seen)).max(dim=1).values
        wanted = reward + 0.9 * later * (~ended).float()
    loss = F.smooth_l1_loss(values, wanted)
    optimizer.zero_grad()
    loss.backward()
    norm = model.out.weight.grad.norm()
    optimizer.step()
    losses.append(loss.item())
saved = io.BytesIO()
torch.save(model.state_dict(), saved)
saved.seek(0)
target.load_state_dict(torch.load(saved))
target.eval()
with torch.no_grad():
    best = target(reader(states)).argmax(1)
    taken = torch.zeros(40, ACTIONS).scatter_(1, best.unsqueeze(1), 1.0)
    lasting = states[~done].mean(0)
    rest = 1 - done.float()
counts = F.one_hot(actions, num_classes=ACTIONS).sum(0)
print([round(each, 3) for each in losses], taken.sum(0).tolist(), counts.tolist())
print(f"{norm.item():.3f} {lasting[0].item():.3f} {rest.sum().item():.0f}")
