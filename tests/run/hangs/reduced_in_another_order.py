"""Two ranks reduce their losses in the other order, one through a helper that scatters."""
# stands: 0 reduce 18; 1 scatter 12
# entry: collective-on-one-rank-only

import torch
import torch.distributed as dist


def share(rows: torch.Tensor) -> torch.Tensor:
    mine = torch.empty(2)
    parts = list(rows) if dist.get_rank() == 0 else None
    dist.scatter(mine, parts, src=0)
    return mine


dist.init_process_group("gloo")
if dist.get_rank() == 0:
    dist.reduce(torch.ones(1), dst=1)
    share(torch.ones(2, 2))
else:
    share(torch.ones(2, 2))
