"""torch is seeded, and another generator that the program draws from is not."""

import ast
import re

from torchwhy.lint import patterns as p

SEEDERS = frozenset(
    "seed_everything set_seed seed_all fix_seed set_random_seed setup_seed init_seeds".split()
)
FREE = frozenset(
    "seed default_rng RandomState Generator get_state set_state SeedSequence getstate setstate Random"
    " SystemRandom".split()
)
NUMBERS = re.compile(r"seed|(^|[\s._])port", re.I)
DRAWN = ("random.", "numpy.random.", "time.", "os.urandom", "secrets.")
TRAINING = re.compile(r"backward|optim|loss|criterion|\.step\(|fit\(|[Ll]oader|Subset|Dataset|train\w*\(")

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
    if module.is_test or not any(fixes_the_run(module, each) for each in seeds):
        return  # a test is no training run, and a fixture elsewhere may seed
    calls = [(call, module.name(call.func)) for call in module.by_type[ast.Call]]
    if any(name.rsplit(".", 1)[-1] in SEEDERS and not module.called(call) for call, name in calls):
        return
    for root in ("random.", "numpy.random."):
        if any(call.args or call.keywords for call in module.calls(f"{root}seed")):
            continue
        drawing = (call for call, name in calls if name.startswith(root) and is_draw(name.removeprefix(root)))
        unheard = (in_worker, is_shown, is_no_data)
        draws = [call for call in drawing if not any(each(module, call) for each in unheard)]
        if draws:
            yield p.wrong(min(draws, key=lambda each: each.lineno), draw=p.text(draws[0].func))


def is_draw(name):
    return name not in FREE and "." not in name


def fixes_the_run(module, seed):
    """Whether a call of manual_seed is there for the run: not where its seed is drawn, or the clock's, not in
    a model, which seeds what it samples, and not in a test that stands beside the code.
    """
    owner, function = module.class_of(seed), module.function(seed)
    if function is not None and function.name.lstrip("_").startswith("test_"):
        return False
    values = (value for given in p.given(seed) for value in module.values(given))
    parts = (each for value in values for each in p.inside(value, ast.Call))
    drawn = any(module.name(each.func).startswith(DRAWN) for each in parts)
    return not drawn and (owner is None or not module.is_subclass(owner, *p.MODULE_BASES))


def is_no_data(module, draw):
    """Whether what is drawn is the seed itself or the number of a port, or a part of a text, as in a name."""
    for above in module.above(draw):
        if isinstance(above, ast.JoinedStr) or p.method(above) == "format":
            return True
        if isinstance(above, ast.BinOp) and isinstance(p.constant(above.left), str):
            return True
        if isinstance(above, ast.stmt):
            break
    statement = module.statement(draw)
    return bool(NUMBERS.search(" ".join(names_set(statement) | receivers(statement))))


def receivers(statement):
    """The objects whose methods a statement calls."""
    return {p.text(call.func.value) for call in p.inside(statement, ast.Call) if p.method(call)}


def is_shown(module, draw):
    """Whether a notebook draws what it then looks at: nothing that is trained, or loads data, hears of it."""
    statement = module.statement(draw)
    if not module.path.endswith(".ipynb") or module.parent.get(statement) is not module.tree:
        return False
    names, users, known = names_set(statement), [statement], None
    while names != known:
        known = names
        later = (each for each in module.tree.body if each.lineno >= statement.lineno)
        users = [each for each in later if each is statement or p.names_in(each) & names]
        names = names.union(*map(names_set, users))
    return not any(TRAINING.search(ast.unparse(each)) for each in users)


def names_set(statement):
    """The names that a statement sets."""
    return {each.id for each in p.inside(statement, ast.Name) if isinstance(each.ctx, ast.Store)}


def in_worker(module, call):
    """Whether a data set or a transform draws, which the loader's workers do: torch seeds `random` and numpy
    in each of them from its own generator. Where the file makes every loader without workers, none does.
    """
    function, owner = module.function(call), module.class_of(call)
    if function is None or owner is None or function.name not in ("__getitem__", "__iter__", "__call__"):
        return False
    if module.is_subclass(owner, *p.MODULE_BASES):
        return False
    loaders = module.calls(p.LOADER)
    numbers = (p.constants(module, p.argument(each, -1, "num_workers")) for each in loaders)
    return not loaders or any(map(p.is_open, loaders)) or any(each - {0} for each in numbers)
