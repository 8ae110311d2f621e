"""The fork that asks a model and a data set: the program has nothing to do with it."""

from __future__ import annotations

from pathlib import Path

from .watching import watch_program

TRAINING = """
import os, signal, sys, time
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        {forward}
        return self.layer(x - x.mean(0))

{before}
net = Net()
opt = torch.optim.SGD(net.parameters(), 0.1)
for x, y in DataLoader({dataset}, batch_size=8):
    opt.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
{after}
"""
PAIRS = "TensorDataset(torch.randn(160, 4), torch.arange(160) % 2)"


def told(
    folder: Path, forward: str = "pass", before: str = "", after: str = "", dataset: str = PAIRS
) -> list[str]:
    program = folder / "train.py"
    program.write_text(TRAINING.format(forward=forward, before=before, after=after, dataset=dataset))
    return [one.get("id") or f"off: {one}" for one in watch_program(program)]


def test_what_a_fork_found_is_told(tmp_path: Path) -> None:
    assert told(tmp_path) == ["eval-result-depends-on-batch"]


def test_a_program_that_hears_of_its_children_is_not_forked(tmp_path: Path) -> None:
    heard = "signal.signal(signal.SIGCHLD, lambda *_: os._exit(3))"
    assert told(tmp_path, before=heard) == []


def test_descriptors_that_the_program_closes_are_not_read(tmp_path: Path) -> None:
    ended = "os.closerange(3, 100); os.dup2(os.open('/dev/zero', os.O_RDONLY), 3)"
    assert "off" not in str(told(tmp_path, after=ended))


def test_a_model_that_never_answers_holds_nothing_up(tmp_path: Path) -> None:
    assert told(tmp_path, forward="self.training or time.sleep(60)") == []


def test_a_model_that_writes_files_is_refused(tmp_path: Path) -> None:
    there = str(tmp_path / "there")
    assert told(tmp_path, forward=f"self.training or open({there!r}, 'w')") == []
    assert not (tmp_path / "there").exists()


def test_a_file_that_the_data_set_reads_keeps_its_position(tmp_path: Path) -> None:
    (tmp_path / "rows").write_bytes(bytes(160 * 4))
    opened = f"""
class Rows(Dataset):
    file = open({str(tmp_path / "rows")!r}, "rb", buffering=0)
    def __len__(self):
        return 160
    def __getitem__(self, i):
        assert self.file.tell() == 4 * i
        return torch.tensor(list(self.file.read(4))) + torch.randn(4), i % 2
"""
    assert told(tmp_path, before=opened, dataset="Rows()") == ["eval-result-depends-on-batch"]


def test_a_data_set_that_cannot_be_referred_to_weakly(tmp_path: Path) -> None:
    assert told(tmp_path, after="assert len(list(DataLoader(range(32), batch_size=4))) == 8") == [
        "eval-result-depends-on-batch"
    ]


def test_tensors_without_memory_of_their_own_are_passed_over(tmp_path: Path) -> None:
    program = tmp_path / "sparse.py"
    program.write_text("""
import torch
table = torch.nn.Embedding(10, 4, sparse=True)
opt = torch.optim.SGD(table.parameters(), 0.1)
for step in range(12):
    opt.zero_grad()
    table(torch.randint(0, 10, (6,))).sum().backward()
    table.weight.grad.mul_(0.5).add_(table.weight.grad)
    opt.step()
""")
    assert watch_program(program) == []
