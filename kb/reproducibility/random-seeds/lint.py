"""torch is seeded, and another generator that the program draws from is not."""

import ast
import re

from torchwhy.lint.kinds import LOADER, MODULE_BASES
from torchwhy.lint.module import argument, constant, is_open
from torchwhy.lint.rule import wrong

SEEDERS = (
    "seed_everything",
    "set_seed",
    "seed_all",
    "fix_seed",
    "set_random_seed",
    "setup_seed",
    "init_seeds",
)
FREE = frozenset(
    "seed default_rng RandomState Generator get_state set_state SeedSequence getstate setstate Random SystemRandom".split()
)

DRAWN = ("random.", "numpy.random.", "time.", "os.urandom", "secrets.")
TRAINS = re.compile(r"backward|optim|loss|criterion|\.step\(|fit\(|[Ll]oader|Subset|Dataset|train\w*\(")

SAYS = {
    "en": "`{draw}` draws from a generator that is never seeded, though torch's is",
    "zh": "`{draw}` 所用的随机数生成器从未设种子，而 torch 的设了",
}
FIX = {
    "en": "seed all three: torch.manual_seed, random.seed, numpy.random.seed",
    "zh": "三者都要设种子：torch.manual_seed、random.seed、numpy.random.seed",
}
IN_REPRO = "image = self.images[index] + random.uniform"


def find(module):
    seeds = module.calls("torch.manual_seed", "torch.random.manual_seed")
    if not any(fixes_the_run(module, each) for each in seeds):
        return
    if module.is_test:  # a test is no training run, and a fixture elsewhere may seed
        return
    if any(
        module.name(call.func).rsplit(".", 1)[-1] in SEEDERS and not module.called(call)
        for call in module.by_type[ast.Call]
    ):
        return
    for root in ("random.", "numpy.random."):
        if any(call.args or call.keywords for call in module.calls(f"{root}seed")):
            continue
        draws = [
            call
            for call in module.by_type[ast.Call]
            if module.name(call.func).startswith(root)
            and module.name(call.func).removeprefix(root) not in FREE
            and "." not in module.name(call.func).removeprefix(root)
            and not in_worker(module, call)
            and not is_shown(module, call)
        ]
        if draws:
            yield wrong(min(draws, key=lambda each: each.lineno), draw=ast.unparse(draws[0].func))


def fixes_the_run(module, seed):
    """Whether a call of manual_seed is there for the run: not where its seed is drawn, or the clock's, not in
    a model, which seeds what it samples, and not in a test that stands beside the code.
    """
    owner, function = module.class_of(seed), module.function(seed)
    if function is not None and function.name.lstrip("_").startswith("test_"):
        return False
    drawn = any(
        isinstance(each, ast.Call) and module.name(each.func).startswith(DRAWN)
        for arg in (*seed.args, *(keyword.value for keyword in seed.keywords))
        for each in ast.walk(arg)
    )
    return not drawn and (owner is None or not module.is_subclass(owner, *MODULE_BASES))


def is_shown(module, draw):
    """Whether a notebook draws what it then looks at: nothing that is trained, or loads data, hears of it."""
    statement = module.statement(draw)
    if not module.path.endswith(".ipynb") or module.parent.get(statement) is not module.tree:
        return False
    names, count = names_set(statement), 0
    users = [statement]
    while len(names) != count:
        count = len(names)
        users = [
            each
            for each in module.tree.body
            if each.lineno >= statement.lineno
            and (each is statement or any(n.id in names for n in ast.walk(each) if isinstance(n, ast.Name)))
        ]
        names = names.union(*(names_set(each) for each in users))
    return not any(TRAINS.search(ast.unparse(each)) for each in users)


def names_set(statement):
    """The names that a statement sets."""
    return {
        each.id
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def in_worker(module, call):
    """Whether a data set or a transform draws, which the loader's workers do: torch seeds `random` and numpy
    in each of them from its own generator. Where the file makes every loader without workers, none does.
    """
    function, owner = module.function(call), module.class_of(call)
    if function is None or owner is None or function.name not in ("__getitem__", "__iter__", "__call__"):
        return False
    if module.is_subclass(owner, *MODULE_BASES):
        return False
    loaders = module.calls(LOADER)
    return not loaders or any(is_open(each) or has_workers(module, each) for each in loaders)


def has_workers(module, loader):
    given = argument(loader, -1, "num_workers")
    return given is not None and any(constant(value) != 0 for value in module.values(given))
