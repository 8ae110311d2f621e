"""A file that a data set opens in __init__ and reads in __getitem__, with workers."""

# the script opens its file by a method and a flag, which its source does not settle
import ast

from torchwhy.lint.kinds import DATASETS, LOADER
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import wrong

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
    loaders = [
        call for call in module.calls(LOADER) if constant(argument(call, -1, "num_workers")) not in (0, None)
    ]
    if not loaders:
        return
    for owner in module.classes.values():
        if not module.is_subclass(owner, *DATASETS) or not {"__init__", "__getitem__"} <= set(owner.methods):
            continue
        used = {
            node.attr
            for node in ast.walk(owner.methods["__getitem__"])
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
        }
        again = {
            node.attr
            for node in ast.walk(owner.methods["__getitem__"])
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        }
        for name, values in owner.attributes.items():
            for value in values:
                if (
                    name in used - again
                    and isinstance(value, ast.Call)
                    and module.name(value.func) in OPENERS
                ):
                    if module.function(value) is owner.methods["__init__"]:
                        yield wrong(module.statement(value), name=name)
