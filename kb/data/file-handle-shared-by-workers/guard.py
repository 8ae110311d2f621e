"""A data set that goes into several workers with an open file."""

import io
import sys

from torchwhy_watch import Watching

MESSAGES = {
    "open": (
        "the data set holds an open file (`{name}`) while {workers} workers start: they share its position, and read one another's bytes",
        "启动 {workers} 个 worker 时数据集持有已打开的文件（`{name}`）：它们共用读取位置，会读到彼此的字节",
    )
}


class Guard(Watching):
    def on_loader(self, loader, at):
        held = getattr(loader.dataset, "__dict__", {}) if loader.num_workers > 1 else {}
        for name, value in list(held.items()):
            of_h5py = type(value).__module__.startswith("h5py") and type(value).__name__ == "File"
            if is_read(value) or (of_h5py and moves_a_position(value)):
                self.report("open", at, name="dataset." + name, workers=loader.num_workers)


def is_read(value):
    """Whether it is an open file that lies on a disk."""
    in_memory = isinstance(value, (io.BytesIO, io.StringIO))
    return isinstance(value, io.IOBase) and not in_memory and not value.closed and value.readable()


def moves_a_position(opened):
    """Whether HDF5 seeks and reads, as it did before 1.12 (h5py 3); later it reads by position."""
    if not opened:  # a closed one
        return False
    version = getattr(sys.modules.get("h5py"), "version", None)
    return getattr(version, "hdf5_version_tuple", (0,)) < (1, 12) or opened.driver == "stdio"
