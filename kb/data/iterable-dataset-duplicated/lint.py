"""An IterableDataset that does not ask which worker it is in, loaded by workers."""

# the script splits by a flag that its class keeps, which its source does not settle
import ast
import re

from torchwhy.lint import patterns as p

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
    for call in module.calls(p.LOADER):
        workers = p.constant(p.argument(call, -1, "num_workers"))
        if workers in (None, 0) or p.argument(call, -1, "worker_init_fn") is not None:
            continue
        for made in p.makers(module, p.argument(call, 0, "dataset")):
            home, owner = p.class_made(module, made) or (None, None)
            if owner is None or "__iter__" not in owner.methods or SPLITS.search(ast.unparse(owner.node)):
                continue
            if home.is_subclass(owner, "torch.utils.data.IterableDataset"):
                yield p.wrong(owner.methods["__iter__"] if home is module else call, name=owner.node.name)
