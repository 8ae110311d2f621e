"""A wrapped model in a group of one process: all_reduce, recomputed blocks, autocast on the CPU, a mask in low precision."""

import io

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, 2 * width)
        self.outer = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.outer(torch.tanh(self.inner(x)))


class Reader(nn.Module):
    def __init__(self, words, width, kinds):
        super().__init__()
        self.kinds = kinds
        self.table = nn.Embedding(words, width)
        self.blocks = nn.ModuleList([Block(width), Block(width)])
        self.score = nn.Linear(width, 1)
        self.head = nn.Linear(width, kinds)

    def forward(self, ids):
        mask = ids == 0
        x = self.table(ids)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
        scores = self.score(x).squeeze(-1)
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1).unsqueeze(-1)
        return self.head((weights * x).sum(1))


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
torch.manual_seed(23)
ids = torch.randint(1, 20, (24, 6))
ids[:, 4:] = 0
kinds = ids[:, 0] % 3
data = TensorDataset(ids, kinds)
loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data, shuffle=False))
model = DistributedDataParallel(Reader(20, 8, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
for batch, target in loader:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        output = model(batch)
    loss = criterion(output.float(), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
total = loss.detach().clone()
dist.all_reduce(total)
mean = total / dist.get_world_size()
file = io.BytesIO()
torch.save(model.module.state_dict(), file)
file.seek(0)
alone = Reader(20, 8, model.module.kinds)
alone.load_state_dict(torch.load(file))
alone.eval()
with torch.no_grad():
    right = (alone(ids).argmax(1) == kinds).float().mean()
print(f"{mean.item():.2f} {right.item():.2f}", dist.get_rank())
dist.destroy_process_group()
