"""torch is seeded, and another generator that the program draws from is not."""

import ast

from assistant.lint.rule import wrong

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
    if not module.calls("torch.manual_seed", "torch.random.manual_seed"):
        return
    if "pytest" in module.imports.values():  # a test is no training run, and a fixture elsewhere may seed
        return
    if any(
        module.name(call.func).rsplit(".", 1)[-1] in SEEDERS and not module.called(call)
        for call in module.by_type[ast.Call]
    ):
        return
    for root in ("random.", "numpy.random."):
        if any(call.args for call in module.calls(f"{root}seed")):
            continue
        draws = [
            call
            for call in module.by_type[ast.Call]
            if module.name(call.func).startswith(root)
            and module.name(call.func).removeprefix(root) not in FREE
            and "." not in module.name(call.func).removeprefix(root)
        ]
        if draws:
            yield wrong(min(draws, key=lambda each: each.lineno), draw=ast.unparse(draws[0].func))
