"""One of two ranks comes to the rendezvous."""
# stands: process init_process_group 11
# entry: rendezvous-failed

import os
import sys

import torch.distributed as dist

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=sys.argv[1])
dist.init_process_group("gloo", rank=0, world_size=2)
