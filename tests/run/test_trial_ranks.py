"""Ranks and the workers of a loader: the first that fails leaves a fork, which gives a verdict or says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.trials import FC, PROGRAM, closed, crashed, edit, waiting

WIDER = "self.fc = nn.Linear(784, classes)"
RANKS = (
    PROGRAM.partition("net = Net")[0]
    + """\
def main(rank):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    store = dist.FileStore(sys.argv[1], 2)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=2)
    net = DistributedDataParallel(Net(10))
    out = net(torch.randn(8, 3, 16, 16))
    out.backward()


if __name__ == "__main__":
    if "RANK" in os.environ:
        main(int(os.environ["RANK"]))
    else:
        torch.multiprocessing.spawn(main, nprocs=2)
"""
).replace(
    "import torch\n",
    "import os\nimport sys\nimport torch\nimport torch.distributed as dist\n"
    "from torch.nn.parallel import DistributedDataParallel\n",
    1,
)
TORCHRUN = ["-m", "torch.distributed.run", "--nproc-per-node", "2", "--standalone"]
WORKER = """\
import torch
from torch.utils.data import DataLoader


class Pictures:
    def __len__(self):
        return 8

    def __getitem__(self, index):
        picture = torch.ones(3, 4)
        return picture @ picture


if __name__ == "__main__":
    for batch in DataLoader(Pictures(), num_workers=2):
        print(batch.shape)
"""
LOADED = (
    PROGRAM.partition("net = Net")[0]
    + """\
if __name__ == "__main__":
    net = Net(10)
    data = torch.utils.data.TensorDataset(torch.randn(8, 3, 16, 16))
    for (images,) in torch.utils.data.DataLoader(data, num_workers=2):
        out = net(images)
"""
)


@pytest.mark.parametrize("words", [(), TORCHRUN], ids=["spawn", "torchrun"])
def test_the_first_rank_that_fails_tries_the_change(tmp_path: Path, words: list[str]) -> None:
    file, trials = crashed(tmp_path, RANKS, *words)
    assert len(waiting(tmp_path)) == 1
    tried = trials.verdict([edit(file, FC, WIDER)])
    assert tried[:2] == ("runs", "float32[8, 10]"), tried
    assert trials.verdict([edit(file, FC, WIDER.replace("784", "785"))]).verdict == "fails"
    closed(tmp_path, trials)


def test_what_the_ranks_do_together_is_not_waited_for(tmp_path: Path) -> None:
    """The gradients of replicas are summed over all ranks: here on tensors without data, in this one alone."""
    file, trials = crashed(tmp_path, RANKS.replace('"hidden": 1000', '"hidden": 784'))
    assert trials.verdict([edit(file, "out.backward()", "out.sum().backward()")]).verdict == "runs"
    tried = trials.verdict([edit(file, "out.backward()", "dist.all_reduce(out)")])
    assert tried.verdict == "not tried", tried
    closed(tmp_path, trials)


@pytest.mark.parametrize(
    ("program", "before", "after", "gives"),
    [
        (WORKER, "return picture @ picture", "return picture @ picture.T", "float32[3, 3]"),
        (LOADED, FC, WIDER, "float32[1, 10]"),
    ],
    ids=["in the worker", "beside the workers"],
)
def test_with_the_workers_of_a_loader(
    tmp_path: Path, program: str, before: str, after: str, gives: str
) -> None:
    file, trials = crashed(tmp_path, program)
    assert len(waiting(tmp_path)) == 1
    assert trials.verdict([edit(file, before, after)])[:2] == ("runs", gives)
    closed(tmp_path, trials)
