"""Four ranks: one leaves the loop a step before the others."""
# stands: 0 all_reduce 15; 1 all_reduce 15; 2 barrier 17; 3 all_reduce 15
# entry: collective-on-one-rank-only

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
for step in range(4):
    if rank == 2 and step == 3:
        break
    loss = torch.ones(1)
    dist.all_reduce(loss)

dist.barrier()
