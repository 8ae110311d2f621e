"""A file that a data set opens in __init__ and reads in __getitem__, with workers."""

# the script opens its file by a method and a flag, which its source does not settle
import ast

from torchwhy.lint import patterns as p

OPENERS = (
    "builtins.open",
    "io.open",
    "h5py.File",
    "lmdb.open",
    "zipfile.ZipFile",
    "tarfile.open",
    "sqlite3.connect",
    "gzip.open",
)

SAYS = {
    "en": "`self.{name}` is opened before the workers start: forked ones share one position in the file, "
    "spawned ones cannot be given it",
    "zh": "`self.{name}` 在 worker 启动之前打开：fork 出来的共享同一个文件位置，spawn 出来的无法得到它",
}
FIX = {
    "en": "open it in __getitem__ at the first sample (`if self.{name} is None`)",
    "zh": "在 __getitem__ 中取第一个样本时再打开（`if self.{name} is None`）",
}
IN_REPRO = None


def find(module):
    if not any(p.has_workers(call) for call in module.calls(p.LOADER)):
        return
    for owner in p.classes(module, p.DATASETS, "__init__", "__getitem__"):
        item = owner.methods["__getitem__"]
        for name, value in p.made_in(module, owner, "__init__", *OPENERS):
            if name in p.read_from(item) - p.read_from(item, ast.Store):
                yield p.wrong(module.statement(value), name=name)
