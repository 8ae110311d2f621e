"""A training loader that reads the data set in its order."""

import ast
import re

from torchwhy.lint.events import training_loops
from torchwhy.lint.kinds import LOADER, class_made, makers
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import look, wrong

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
    for loop, _ in training_loops(module):
        if not isinstance(loop, ast.For):
            continue
        for made in [call for each in iterated(module, loop.iter) for call in makers(module, each)]:
            if module.name(made.func) != LOADER or id(made) in seen or len(made.args) > 3:
                continue
            seen.add(id(made))
            names = given_names(module, made)
            if names is None or names & {"sampler", "batch_sampler"}:
                continue
            if any(word in ast.unparse(loop.iter).lower() for word in ("val", "test", "dev")):
                continue
            if "shuffle" in names and argument(made, 2, "shuffle") is None and len(made.args) < 3:
                continue
            shuffle = argument(made, 2, "shuffle")
            if shuffle is not None and constant(shuffle) is not False or is_stream(module, made):
                continue
            above = module.parent[made]
            name = ast.unparse(above.targets[0]) if isinstance(above, ast.Assign) else "DataLoader"
            yield (wrong if is_sorted(module, made) else look)(made, loader=name)


def given_names(module, made):
    """The names of what the loader is given, those in a literal `**common` too; None where one is unseen."""
    names = set()
    if any(isinstance(arg, ast.Starred) for arg in made.args):
        return None
    for keyword in made.keywords:
        if keyword.arg is not None:
            names.add(keyword.arg)
            continue
        for value in module.values(keyword.value):
            if isinstance(value, ast.Call) and module.name(value.func) == "builtins.dict" and not value.args:
                inner = [each.arg for each in value.keywords]
            elif isinstance(value, ast.Dict):
                inner = [constant(each) for each in value.keys]
            else:
                return None
            if not all(isinstance(each, str) for each in inner) or changed(module, keyword.value):
                return None
            names |= set(inner)
    return names


def changed(module, options):
    """Whether the dict gets more keys later: `common["shuffle"] = True`, `common.update(...)`."""
    name = ast.unparse(options)
    return any(
        ast.unparse(node.value) == name
        for node in [*module.by_type[ast.Subscript], *module.by_type[ast.Attribute]]
    )


def iterated(module, node):
    """What `enumerate(tqdm(loader))` goes through."""
    while (
        isinstance(node, ast.Call)
        and module.name(node.func) != LOADER
        and node.args
        and not isinstance(node.func, ast.Attribute)
    ):
        node = node.args[0]
    return [node]


def is_stream(module, made):
    for dataset in makers(module, argument(made, 0, "dataset")):
        found = class_made(module, dataset)
        if found and (
            found[0].is_subclass(found[1], "torch.utils.data.IterableDataset")
            or "__iter__" in found[1].methods
        ):
            return True
    return False


def is_sorted(module, made):
    """Whether the data behind the loader is seen to be in order."""
    given = argument(made, 0, "dataset")
    texts = [ast.unparse(value) for value in module.values(given)]
    for value in module.values(given):
        for inner in ast.walk(value):
            if isinstance(inner, ast.Name):
                texts += [ast.unparse(each) for each in module.values(inner)]
    return any(SORTED.search(text) for text in texts) and not any("randperm" in text for text in texts)
