"""A random generator that every DataLoader worker copies, or a seed that is the same in each."""

import ast

from torchwhy.lint.kinds import DATASETS, LOADER
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import wrong

GENERATORS = (
    "random.Random",
    "numpy.random.default_rng",
    "numpy.random.RandomState",
    "numpy.random.Generator",
)
SEEDS = ("numpy.random.seed", "random.seed", "torch.manual_seed")

SAYS = {
    "en": "every worker of the DataLoader draws the same random numbers from `{generator}`",
    "zh": "DataLoader 的每个 worker 都会从 `{generator}` 得到同样的随机数",
}
FIX = {
    "en": "seed it in each worker: `worker_init_fn` with `torch.initial_seed()`, or draw from torch's own generator",
    "zh": "在每个 worker 中设种子：在 `worker_init_fn` 里用 `torch.initial_seed()`，或使用 torch 自己的生成器",
}
IN_REPRO = "self.rng = random.Random(0)"


def find(module):
    loaders = [call for call in module.calls(LOADER) if has_workers(call)]
    for loader in loaders:
        seeds = argument(loader, -1, "worker_init_fn")
        if seeds is not None and constant(seeds) is None and not isinstance(seeds, ast.Constant):
            yield from same_in_each(module, seeds)
    if any(seeds_workers(call) for call in loaders) or not loaders:
        return
    for owner in module.classes.values():
        if not module.is_subclass(owner, *DATASETS) or "__getitem__" not in owner.methods:
            continue
        used = {
            node.attr for node in ast.walk(owner.methods["__getitem__"]) if isinstance(node, ast.Attribute)
        }
        for name, values in owner.attributes.items():
            for value in values:
                if name in used and isinstance(value, ast.Call) and module.name(value.func) in GENERATORS:
                    if module.function(value) is owner.methods.get("__init__"):
                        yield wrong(module.statement(value), generator=f"self.{name}")


def has_workers(call):
    workers = argument(call, -1, "num_workers")
    return workers is not None and constant(workers) != 0


def seeds_workers(call):
    seeds = argument(call, -1, "worker_init_fn")
    return seeds is not None and not (isinstance(seeds, ast.Constant) and seeds.value is None)


def same_in_each(module, node):
    """A worker_init_fn that gives every worker one constant seed."""
    function = (
        module.functions.get(node.id)
        if isinstance(node, ast.Name)
        else node
        if isinstance(node, ast.Lambda)
        else None
    )
    for call in module.calls(*SEEDS):
        inside = function is not None and any(above is function for above in module.above(call))
        if inside and call.args and isinstance(constant(call.args[0]), int):
            yield wrong(call, generator=ast.unparse(call.func))
