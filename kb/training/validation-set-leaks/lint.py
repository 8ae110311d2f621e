"""What is held out has been seen: by a statistic, by the model of another fold, or through its patients."""

# the script oversamples in a helper before it splits
import ast
import re

from torchwhy.lint import patterns as p

HELD_OUT = re.compile(r"(^|_)(test|val|valid|validation|holdout)(_|$)", re.I)
GROUPS = re.compile(r"(^|_)(patient|subject|speaker|participant|group)s?(_ids?)?$", re.I)
RANDOM = re.compile(r"\b(randn?|randint|normal|uniform|sin|cos|linspace|arange|cumsum)\(")
FITTED = ("scaler", "pca", "normaliz")
SPLITS = ("train_test_split", "random_split")
FOLDS = ("KFold", "StratifiedKFold", "RepeatedKFold", "ShuffleSplit", "StratifiedShuffleSplit")
STATISTICS = ("mean", "std", "min", "max", "var")
ANEW = ("load_state_dict", "reset_parameters", "deepcopy", "apply", "clone")

FIT = (
    "`{call}` sees the samples that are held out afterwards",
    "`{call}` 用到了之后才划出的验证样本",
    "split first, fit on the training part alone, and apply it to both",
    "先划分，只在训练部分上拟合，再应用到两部分",
)
FOLD = (
    "`{call}` is made once for all folds: from the second on it has been trained on what is held out",
    "`{call}` 只为所有折创建了一次：从第二折起，它已在被留出的样本上训练过",
    "make the model (and the optimizer) anew inside of the loop over the folds",
    "在遍历各折的循环里重新创建模型（和优化器）",
)
APART = (
    "`{call}` splits samples although several share a `{group}`: the same ones stand on both sides",
    "`{call}` 按样本划分，而多个样本属于同一个 `{group}`：同一个会同时出现在两边",
    "split what the samples belong to: `GroupShuffleSplit(...).split(x, y, groups={group})`",
    "按样本所属的组划分：`GroupShuffleSplit(...).split(x, y, groups={group})`",
)
SAYS = {"en": "{problem}", "zh": "{problem}"}
FIX = {"en": "{remedy}", "zh": "{remedy}"}
IN_REPRO = None


def find(module):
    for call in module.methods("fit_transform", "fit"):
        if call.args and any(word in p.text(call.func).lower() for word in FITTED):
            data = p.text(call.args[0])
            leaks = call.func.attr == "fit_transform" and HELD_OUT.search(data)
            if leaks or ("train" not in data.lower() and split_later(module, call, data)):
                yield told(call, FIT, call=p.text(call))
    yield from scaled_before(module)
    yield from one_model_for_all_folds(module)
    yield from groups_apart(module)


def told(node, texts, **values):
    en, zh, fix, zh_fix = (text.format(**values) for text in texts)
    return p.wrong(node, problem=(en, zh), remedy=(fix, zh_fix))


def split_later(module, call, data):
    """Whether what was fitted on, or what came out of it, is split behind the call."""
    names = {data, *map(p.text, getattr(module.statement(call), "targets", ()))}
    later = (each for each in module.by_type[ast.Call] if p.position(each) > p.position(call))
    return any(
        module.name(each.func).rsplit(".", 1)[-1] in SPLITS and names & set(map(p.text, each.args))
        for each in later
        if module.scope(each) is module.scope(call)
    )


def scaled_before(module):
    """`x = (x - x.mean(0)) / x.std(0)`, and behind it `x[:n]` and `x[n:]`, or a random split of x."""
    for node in module.by_type[ast.Assign]:
        name = p.text(node.targets[0])
        scaled = [each for each in p.inside(node.value, ast.BinOp) if isinstance(each.op, ast.Sub | ast.Div)]
        if (
            not isinstance(node.targets[0], ast.Name)
            or not scaled
            or HELD_OUT.search(name)
            or "train" in name
        ):
            continue
        sources = p.names_in(*(each.left for each in scaled))
        first = next((one for one in statistics(module, node) if p.text(one.func.value) in sources), None)
        if first is not None and not is_made_here(module, first) and is_cut(module, node, name):
            yield told(module.statement(first), FIT, call=p.text(first))


def statistics(module, node):
    """The means and the like in a statement, or behind the names in it that the same scope sets."""
    for each in p.inside(node.value, ast.Name, ast.Call):
        found = (
            [each]
            if isinstance(each, ast.Call)
            else [one.value for one in module.bindings(each)[:1] if one.value]
        )
        for value in found:
            for call in p.inside(value, ast.Call):
                if p.method(call) in STATISTICS and isinstance(call.func.value, ast.Name):
                    yield call


def is_made_here(module, call):
    """Whether the function draws or computes the data itself: an example, whose future nobody has to guess."""
    function = module.function(call)
    return bool(RANDOM.search(ast.unparse(function) if function else ""))


def is_cut(module, node, name):
    """Whether a part up to somewhere, and the part from there, are taken of it, or it is split at random."""
    first, rest = set(), set()
    for each in p.inside(module.function(node) or module.tree, ast.Subscript, ast.Call):
        if p.position(each) < p.position(node):
            continue
        if isinstance(each, ast.Call):
            if p.called(each) in SPLITS and name in p.names_in(*each.args):
                return True
        elif p.text(each.value) == name and isinstance(each.slice, ast.Slice):
            first |= {p.text(each.slice.upper)} if each.slice.lower is None else set()
            rest |= {p.text(each.slice.lower)}
    return bool(first & rest - {""})


def one_model_for_all_folds(module):
    for loop in module.by_type[ast.For]:
        walked = p.walked(module, loop)
        folds = p.makers(module, walked.func.value) if p.method(walked) == "split" else []
        if not any(module.name(made.func).rsplit(".", 1)[-1] in FOLDS for made in folds):
            continue
        for name in {each.id: each for each in p.inside(ast.Module(loop.body, []), ast.Name)}.values():
            made = p.only_binding(module, name)
            if made is None or not p.is_module(module, name) or loop in module.above(made.node):
                continue
            uses = [call for call in p.inside(loop, ast.Call) if name.id in p.names_in(call)]
            anew = any(word in "\n".join(map(p.text, uses)) for word in ANEW)
            if not anew and any(trains(module, call) for call in p.inside(loop, ast.Call)):
                yield told(made.node, FOLD, call=p.text(made.value))


def trains(module, call):
    found = module.called(call)
    return p.method(call) == "backward" or (found is not None and any(p.methods_in(found[1], "backward")))


def groups_apart(module):
    for call in module.by_type[ast.Call]:
        function = module.function(call)
        if function is None or p.called(call) != "train_test_split":
            continue
        groups = [one.arg for one in function.args.args if GROUPS.search(one.arg)]
        used = p.names_in(call) | p.names_in(*(one for one in function.body if one.lineno < call.lineno))
        if groups and groups[0] not in used:
            yield told(call, APART, call=p.text(call.func), group=groups[0])
