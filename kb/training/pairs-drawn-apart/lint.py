"""What belongs together, such as an image and its mask, is shuffled or transformed by two draws."""

import ast
import re

from torchwhy.lint import patterns as p

SECOND = re.compile(
    r"(^|_)(y|ys|labels?|targets?|masks?|segs?|segmentation|depth|answers?|classes)(_|$)", re.I
)
SHUFFLES = ("numpy.random.shuffle", "random.shuffle")
PERMUTED = ("torch.randperm", "numpy.random.permutation")
SEEDED = re.compile(r"seed|rng_state|set_state|get_params|replay|additional_targets")

SAYS = {
    "en": "`{first}` and `{second}` belong together, and each gets a draw of its own",
    "zh": "`{first}` 和 `{second}` 本应成对，却各自单独抽取随机数",
}
FIX = {
    "en": "draw once and use it for both: `order = torch.randperm(len(x))`, one call of a transform for the pair",
    "zh": "只抽一次，两者共用：`order = torch.randperm(len(x))`，或对这一对只调用一次变换",
}
IN_REPRO = "y = y[torch.randperm(len(y))]"


def find(module):
    by_scope = {}
    for call in module.by_type[ast.Call]:
        drawn = drawn_for(module, call)
        if drawn is not None:
            by_scope.setdefault((module.scope(call), drawn[1]), []).append((call, drawn[0]))
    for (scope, _), draws in by_scope.items():
        for (one, first), (other, second) in zip(draws, draws[1:]):
            within = [each for each in p.inside(scope, ast.stmt) if one.lineno <= each.lineno <= other.lineno]
            told = "\n".join(map(p.text, within)) + (scope.name if hasattr(scope, "name") else "")
            near = p.block_of(module, module.statement(one)) is p.block_of(module, module.statement(other))
            if near and SECOND.search(second) and not SECOND.search(first) and not SEEDED.search(told):
                if stem(first) == stem(second):
                    yield p.wrong(other, first=first, second=second)


def stem(name):
    """What else a name says than whether it is the input or the answer: `train` of `train_x`, `y_train`."""
    return set(re.split(r"_|\d", name.lower())) & {
        "train",
        "test",
        "val",
        "valid",
        "source",
        "support",
        "query",
    }


def drawn_for(module, call):
    """(the name of what is shuffled or transformed, by what); None of other calls."""
    first = call.args[0] if call.args else None
    if module.name(call.func) in SHUFFLES and isinstance(first, ast.Name):
        return first.id, "shuffle"
    if (
        module.name(call.func) == "sklearn.utils.shuffle"
        and len(call.args) == 1
        and isinstance(first, ast.Name)
    ):
        state = p.argument(call, -1, "random_state")
        return (first.id, "shuffle") if p.constant(state) is None else None
    above = module.parent[call]
    if module.name(call.func) in PERMUTED and isinstance(above, ast.Subscript) and above.slice is call:
        return (above.value.id, "permuted") if isinstance(above.value, ast.Name) else None
    if isinstance(first, ast.Name) and p.text(module.statement(call)) == f"{first.id} = {p.text(call)}":
        made = [one for value in p.makers(module, call.func) for one in (value, *p.inside(value, ast.Call))]
        if any(p.called(one).startswith("Random") for one in made):
            return first.id, p.text(call.func)
    return None
