"""Statistics that are fitted on the samples that are held out as well."""

# the script oversamples in a helper before it splits
import ast
import re

from torchwhy.lint import patterns as p

HELD_OUT = re.compile(r"(^|_)(test|val|valid|validation|holdout)(_|$)", re.I)
FITTED = ("scaler", "pca", "normaliz")
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
        if call.args and any(word in p.text(call.func).lower() for word in FITTED):
            data = p.text(call.args[0])
            leaks = call.func.attr == "fit_transform" and HELD_OUT.search(data)
            if leaks or ("train" not in data.lower() and split_later(module, call, data)):
                yield p.wrong(call, call=p.text(call))


def split_later(module, call, data):
    """Whether what was fitted on, or what came out of it, is split behind the call."""
    names = {data, *map(p.text, getattr(module.statement(call), "targets", ()))}
    later = (each for each in module.by_type[ast.Call] if p.position(each) > p.position(call))
    return any(
        module.name(each.func).rsplit(".", 1)[-1] in SPLITS and names & set(map(p.text, each.args))
        for each in later
        if module.scope(each) is module.scope(call)
    )
