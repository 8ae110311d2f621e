"""A training loader that reads the data set in its order."""

import ast
import re

from torchwhy.lint import patterns as p

SORTED = re.compile(
    r"repeat_interleave|sorted\(|\.sort\(|sort_values|ImageFolder|torch\.cat\(|np\.concatenate|hstack|vstack"
)

SAYS = {
    "en": "`{loader}` gives the training samples in the data set's own order in every epoch",
    "zh": "`{loader}` 在每个 epoch 都按数据集自身的顺序给出训练样本",
}
FIX = {
    "en": "pass shuffle=True",
    "zh": "传入 shuffle=True",
}
IN_REPRO = "for batch, labels in DataLoader("


def find(module):
    seen = set()
    for loop, _ in p.training_loops(module):
        if not isinstance(loop, ast.For) or any(
            word in p.text(loop.iter).lower() for word in ("val", "test", "dev")
        ):
            continue
        for made in p.makers(module, iterated(module, loop.iter)):
            if module.name(made.func) != p.LOADER or made in seen or len(made.args) > 3:
                continue
            seen.add(made)
            names, shuffle = given_names(module, made), p.argument(made, 2, "shuffle")
            if names is None or names & {"sampler", "batch_sampler"} or is_stream(module, made):
                continue
            # shuffle stands in a literal `**common` that the file shows, or is False
            if "shuffle" not in names if shuffle is None else p.constant(shuffle) is False:
                name = p.assigned(module, made) or "DataLoader"
                yield (p.wrong if is_sorted(module, made) else p.look)(made, loader=name)


def given_names(module, made):
    """The names of what the loader is given, those in a literal `**common` too; None where one is unseen."""
    if any(isinstance(arg, ast.Starred) for arg in made.args):
        return None
    names = {keyword.arg for keyword in made.keywords if keyword.arg is not None}
    for keyword in made.keywords:
        for value in module.values(keyword.value) if keyword.arg is None else ():
            if p.is_call(module, value, "builtins.dict") and not value.args:
                inner = [each.arg for each in value.keywords]
            else:
                inner = [p.constant(each) for each in value.keys] if isinstance(value, ast.Dict) else [None]
            if not all(isinstance(each, str) for each in inner) or changed(module, keyword.value):
                return None
            names |= set(inner)
    return names


def changed(module, options):
    """Whether the dict gets more keys later: `common["shuffle"] = True`, `common.update(...)`."""
    uses = [*module.by_type[ast.Subscript], *module.by_type[ast.Attribute]]
    return any(p.text(node.value) == p.text(options) for node in uses)


def iterated(module, node):
    """What `enumerate(tqdm(loader))` goes through."""
    while (
        isinstance(node, ast.Call) and node.args and not p.method(node) and module.name(node.func) != p.LOADER
    ):
        node = node.args[0]
    return node


def is_stream(module, loader):
    found = (p.class_made(module, each) for each in p.makers(module, p.argument(loader, 0, "dataset")))
    return any(
        home.is_subclass(owner, "torch.utils.data.IterableDataset") or "__iter__" in owner.methods
        for home, owner in filter(None, found)
    )


def is_sorted(module, loader):
    """Whether the data behind the loader is seen to be in order."""
    values = module.values(p.argument(loader, 0, "dataset"))
    parts = [each for value in values for name in p.inside(value, ast.Name) for each in module.values(name)]
    whole = "\n".join(map(ast.unparse, [*values, *parts]))
    return bool(SORTED.search(whole)) and "randperm" not in whole
