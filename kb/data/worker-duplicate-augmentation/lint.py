"""A random generator that every DataLoader worker copies, or a seed that is the same in each."""

import ast

from torchwhy.lint import patterns as p

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
    loaders = [call for call in module.calls(p.LOADER) if p.may_have_workers(call)]
    seeders = [p.argument(loader, -1, "worker_init_fn") for loader in loaders]
    seeders = [each for each in seeders if each is not None and p.text(each) != "None"]
    for each in seeders:
        yield from same_in_each(module, each)
    for owner in p.classes(module, p.DATASETS, "__init__", "__getitem__") if loaders and not seeders else ():
        for name, value in p.made_in(module, owner, "__init__", *GENERATORS):
            if name in p.read_from(owner.methods["__getitem__"]):
                yield p.wrong(module.statement(value), generator=f"self.{name}")


def same_in_each(module, node):
    """A worker_init_fn that gives every worker one constant seed."""
    function = module.functions.get(node.id) if isinstance(node, ast.Name) else node
    for call in module.calls(*SEEDS):
        if function in module.above(call) and call.args and isinstance(p.constant(call.args[0]), int):
            yield p.wrong(call, generator=p.text(call.func))
