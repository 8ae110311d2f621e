"""Processes of one training: what they tell one another, and whether tensors agree."""

from __future__ import annotations

import json
import os

import torch

SAMPLES, MAX_SUMMED = 4, 1 << 14  # elements of a tensor that are told, and that are summed
TOLERANCE, MEAN_TOLERANCE = 1e-4, 1e-5  # of the size of a tensor's values
MAX_FILES, MAX_BYTES = 64, 1 << 24


class RankFiles:
    """JSON objects that each process writes into a file of the run's folder, and the others read."""

    def __init__(self, folder):
        self.folder, self.read = folder, {}

    def _end(self):
        """How the name of this process's file ends; it may have been forked since."""
        return "-%d.txt" % os.getpid()

    def write(self, rank, told):
        path = os.path.join(self.folder, "ranks-%d%s" % (rank, self._end()))
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(number, (json.dumps(told) + "\n").encode())
        finally:
            os.close(number)

    def news(self):
        """What others have written since."""
        names = [name for name in os.listdir(self.folder) if name.startswith("ranks-")]
        for name in sorted(name for name in names if not name.endswith(self._end()))[:MAX_FILES]:
            with open(os.path.join(self.folder, name), "rb") as file:
                file.seek(self.read.get(name, 0))
                data = file.read(MAX_BYTES)
            whole = data[: data.rfind(b"\n") + 1]
            self.read[name] = self.read.get(name, 0) + len(whole)
            for line in whole.splitlines():
                yield json.loads(line)


def of_all_ranks(group):
    distributed = torch.distributed
    return distributed.is_initialized() and distributed.get_world_size(group) == distributed.get_world_size()


def several_ranks():
    distributed = torch.distributed
    return distributed.is_available() and distributed.is_initialized() and distributed.get_world_size() > 1


def leaves_apart(wrapper):
    """Whether a communication hook leaves each rank its own gradients, for an average now and then."""
    try:
        hook = str(wrapper._get_ddp_logging_data().get("comm_hook", "")).lower()
    except Exception:
        return False
    return "local" in hook or "noop" in hook


def digest(tensor):
    """A tensor's size, sum and sum of sizes over some elements, and a few elements, as a row."""
    flat = tensor.reshape(-1)
    part = flat[:: max(1, flat.numel() // MAX_SUMMED)]
    few = part[:: max(1, part.numel() // SAMPLES)][:SAMPLES].double()
    row = flat.new_zeros(SAMPLES + 3, dtype=torch.float64)
    row[0] = flat.numel()
    row[1] = part.sum(dtype=torch.float64)
    row[2] = part.abs().sum(dtype=torch.float64)
    row[3 : 3 + len(few)] = few
    return row


def rows_of(digests):
    """Several digests as lists of numbers."""
    return [[float("%.7g" % one) for one in row] for row in digests.reshape(-1, SAMPLES + 3).tolist()]


def scale_of(digest):
    """The mean size of the values behind a digest, and how many of them were summed."""
    count = len(range(0, int(digest[0]), max(1, int(digest[0]) // MAX_SUMMED)))
    return digest[2] / count, count


def difference(mine, theirs):
    """By how much two digests differ at least; 0 where it may be rounding."""
    scale, count = max(scale_of(mine), scale_of(theirs))
    single = max(abs(a - b) for a, b in zip(mine[3:], theirs[3:]))
    mean = abs(mine[1] - theirs[1]) / count
    return max(single, mean) if single > TOLERANCE * scale or mean > MEAN_TOLERANCE * scale else 0.0
