"""An IterableDataset that does not ask which worker it is in, loaded by workers."""

# the script splits by a flag that its class keeps, which its source does not settle
import ast
import re

from torchwhy.lint.kinds import LOADER, class_made, makers
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import wrong

SPLITS = re.compile(r"worker|rank|shard|replica|split_dataset")

SAYS = {
    "en": "`{name}` gives all of its samples in every worker of the DataLoader: each sample comes several times",
    "zh": "`{name}` 在 DataLoader 的每个 worker 中都给出全部样本：每个样本会出现多次",
}
FIX = {
    "en": "split by `torch.utils.data.get_worker_info()` in __iter__",
    "zh": "在 __iter__ 中用 `torch.utils.data.get_worker_info()` 划分样本",
}
IN_REPRO = None


def find(module):
    for call in module.calls(LOADER):
        workers = argument(call, -1, "num_workers")
        if workers is None or constant(workers) == 0 or argument(call, -1, "worker_init_fn") is not None:
            continue
        for made in makers(module, argument(call, 0, "dataset")):
            found = class_made(module, made)
            if (
                found
                and found[0].is_subclass(found[1], "torch.utils.data.IterableDataset")
                and "__iter__" in found[1].methods
            ):
                if not SPLITS.search(ast.unparse(found[1].node)) and constant(workers) is not None:
                    method = found[1].methods["__iter__"]
                    yield wrong(method if found[0] is module else call, name=found[1].node.name)
