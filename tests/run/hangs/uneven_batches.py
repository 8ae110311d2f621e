"""Two ranks under DDP: one has a batch more."""
# stands: 0 barrier 20; 1 backward 14
# entry: collective-on-one-rank-only

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(model: nn.Module, batches: list[torch.Tensor]) -> None:
    for batch in batches:
        loss = model(batch).square().mean()
        loss.backward()


def main() -> None:
    model = DistributedDataParallel(nn.Linear(4, 1))
    train(model, [torch.ones(2, 4)] * (3 + dist.get_rank()))
    dist.barrier()


dist.init_process_group("gloo")
main()
