"""Two ranks that both receive first."""
# stands: 0 recv 10; 1 recv 10
# entry: -

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
message = torch.zeros(3)
dist.recv(message, src=1 - dist.get_rank())
dist.send(message, dst=1 - dist.get_rank())
