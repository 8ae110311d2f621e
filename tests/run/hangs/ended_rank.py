"""Two ranks: one has ended, the other waits for what it should have put into the store."""
# stands: 0 - 16
# entry: -
# ended: 1

import datetime
import os
import sys

import torch.distributed as dist

rank, port = int(os.environ["RANK"]), int(sys.argv[1])
store = dist.TCPStore("127.0.0.1", port, 2, rank == 0, datetime.timedelta(minutes=5), wait_for_workers=False)
if rank == 1:
    os._exit(0)
store.wait(["result of rank 1"])
