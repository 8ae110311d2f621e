"""Two ranks: a barrier under `rank == 0` against a reduction."""
# stands: 0 barrier 11; 1 all_reduce 13
# entry: collective-on-one-rank-only

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
score = torch.ones(1)
if dist.get_rank() == 0:
    dist.barrier()
else:
    dist.all_reduce(score)
