"""A data set that goes into several workers with an open file."""

import io
import sys

MESSAGES = {
    "open": (
        "the data set holds an open file (`{name}`) while {workers} workers start: they share its position, and read one another's bytes",
        "启动 {workers} 个 worker 时数据集持有已打开的文件（`{name}`）：它们共用读取位置，会读到彼此的字节",
    )
}


class Guard:
    def __init__(self, watch):
        self.watch = watch

    def on_loader(self, loader, at):
        if loader.num_workers < 2:
            return
        for name, value in list(getattr(loader.dataset, "__dict__", {}).items()):
            opened = (
                isinstance(value, io.IOBase)
                and not isinstance(value, (io.BytesIO, io.StringIO))
                and not value.closed
            )
            if (
                opened
                and value.readable()
                or type(value).__module__.startswith("h5py")
                and type(value).__name__ == "File"
                and moves_a_position(value)
            ):
                self.watch.report("open", at, name="dataset." + name, workers=loader.num_workers)


def moves_a_position(opened):
    """Whether HDF5 seeks and reads, as it did before 1.12 (h5py 3); later it reads by position."""
    if not opened:  # a closed one
        return False
    version = getattr(sys.modules.get("h5py"), "version", None)
    return getattr(version, "hdf5_version_tuple", (0,)) < (1, 12) or opened.driver == "stdio"
