"""Statistics that are fitted on the samples that are held out as well."""

# the script oversamples in a helper before it splits
import ast
import re

from torchwhy.lint.module import position
from torchwhy.lint.rule import wrong

HELD_OUT = re.compile(r"(^|_)(test|val|valid|validation|holdout)(_|$)", re.I)
SPLITS = ("train_test_split", "random_split")

SAYS = {
    "en": "`{call}` sees the samples that are held out afterwards",
    "zh": "`{call}` 用到了之后才划出的验证样本",
}
FIX = {
    "en": "split first, fit on the training part alone, and apply it to both",
    "zh": "先划分，只在训练部分上拟合，再应用到两部分",
}
IN_REPRO = None


def find(module):
    for call in module.methods("fit_transform", "fit"):
        if (
            not call.args
            or "scaler" not in ast.unparse(call.func).lower()
            and "pca" not in ast.unparse(call.func).lower()
            and "normaliz" not in ast.unparse(call.func).lower()
        ):
            continue
        given = ast.unparse(call.args[0])
        if call.func.attr == "fit_transform" and HELD_OUT.search(given):
            yield wrong(call, call=ast.unparse(call))
        elif not re.search("train", given, re.I) and split_later(module, call, given):
            yield wrong(call, call=ast.unparse(call))


def split_later(module, call, given):
    """Whether what was fitted on, or what came out of it, is split behind the call."""
    statement = module.statement(call)
    names = {given} | (
        {ast.unparse(each) for each in statement.targets} if isinstance(statement, ast.Assign) else set()
    )
    for each in module.by_type[ast.Call]:
        name = module.name(each.func).rsplit(".", 1)[-1]
        if name in SPLITS and position(each) > position(call) and module.scope(each) is module.scope(call):
            if names & {ast.unparse(arg) for arg in each.args}:
                return True
    return False
