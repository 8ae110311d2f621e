"""Two processes train by DDP; rank 0 alone evaluates in between, with the wrapped model, whose forward broadcasts BatchNorm's buffers.
The ranks are out of step, and both wait until the timeout. The bare model evaluates without a collective."""

import datetime
import json
import os
import sys
import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel

RANKS, TIMEOUT_S = 2, 5


def train(rank, folder, model_to_evaluate):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group(
        "gloo",
        init_method=f"file://{folder}/store",
        rank=rank,
        world_size=RANKS,
        timeout=datetime.timedelta(seconds=TIMEOUT_S),
    )
    torch.manual_seed(0)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)))
    x = torch.randn(8, 4)
    try:
        for _ in range(2):
            model(x).sum().backward()
            if rank == 0:
                model_to_evaluate(model)(x)
    except RuntimeError as error:
        print(rank, str(error).splitlines()[0][-80:])
        os._exit(0)
    Path(folder, f"finished-{rank}").touch()
    dist.destroy_process_group()


def wrapped(model):
    return model


def bare(model):
    return model.module


def run(model_to_evaluate):
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(train, (folder, model_to_evaluate), nprocs=RANKS)
        finished = len(list(Path(folder).glob("finished-*")))
    print(json.dumps({"ranks": RANKS, "finished": finished}))
    if finished < RANKS:
        sys.exit(
            f"symptom: {finished} of {RANKS} ranks finished, the others waited {TIMEOUT_S} s for a partner"
        )


def broken():
    run(wrapped)


def fixed():
    run(bare)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
