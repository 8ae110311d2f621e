"""What is held out has been seen: by a statistic, by the model of another fold, or through its patients."""

# the script oversamples in a helper before it splits
import ast
import re

from torchwhy.lint import patterns as p

HELD_OUT = re.compile(r"(^|_)(test|val|valid|validation|holdout)(_|$)", re.I)
GROUPS = re.compile(r"(^|_)(patient|subject|speaker|participant|group)s?(_ids?)?$", re.I)
NO_DATA = re.compile(r"adv|ret|rew|logit|feat|emb|out|pred|grad|loss|attn|noise|^z", re.I)
RANDOM = re.compile(r"\b(randn?|randint|normal|uniform|sin|cos|linspace|arange|cumsum)\(")
FITTED = ("scaler", "pca", "normaliz", "select", "imput", "resampl", "smote")
SPLITS = ("train_test_split", "random_split")
JOINING = ("cat", "concat", "concatenate", "vstack", "hstack", "stack")
WINDOWS = ("unfold", "sliding_window_view")
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
SHARED = (
    "`{call}` splits at random what was made of overlapping or mirrored parts: nearly the same stands on both sides",
    "`{call}` 随机划分的是由重叠窗口或镜像副本组成的数据：几乎相同的内容会同时出现在两边",
    "split first (of windows: by time, without shuffling), and multiply the training part alone",
    "先划分（窗口数据按时间划分，不打乱），只对训练部分做扩充",
)
SAYS = {"en": "{problem}", "zh": "{problem}"}
FIX = {"en": "{remedy}", "zh": "{remedy}"}
IN_REPRO = None


def find(module):
    for call in module.methods("fit_transform", "fit"):
        made = [p.text(call.func), *map(p.text, p.makers(module, call.func.value))]
        if call.args and any(word in " ".join(made).lower() for word in FITTED):
            data = p.text(call.args[0])
            leaks = call.func.attr == "fit_transform" and HELD_OUT.search(data)
            if leaks or ("train" not in data.lower() and split_later(module, call, data)):
                yield told(call, FIT, call=p.text(call))
    yield from scaled_before(module)
    yield from one_model_for_all_folds(module)
    yield from groups_apart(module)
    for call in module.by_type[ast.Call]:
        order = p.assigned(module, call) if p.called(call) == "randperm" else ""
        if p.called(call) in SPLITS or (order and is_cut(module, call, order)):
            in_order = p.constant(p.argument(call, -1, "shuffle")) is False
            if not in_order and any(is_multiplied(module, each) for each in p.inside(call, ast.Name)):
                yield told(call, SHARED, call=p.text(call, 60))


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
        if NO_DATA.search(name) or p.in_forward(module, node, 2):
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
            inside = "\n".join(map(ast.unparse, loop.body))
            anew = any(
                name.id in p.names_in(call) and p.called(call) in ANEW for call in p.inside(loop, ast.Call)
            )
            if not anew and any(trains(module, call, name.id, inside) for call in p.inside(loop, ast.Call)):
                yield told(made.node, FOLD, call=p.text(made.value))


def trains(module, call, name, inside):
    """Whether the call trains the model of that name: its gradients, and an optimizer of its parameters."""
    if p.method(call) == "backward":
        return f"{name}.parameters()" in inside or f"{name}.train()" in inside
    found = module.called(call)
    if found is None or not any(p.methods_in(found[1], "backward")):
        return False
    own = [one.arg for one in found[1].args.args if p.text(found[0].given(found[1], call, one.arg)) == name]
    body = ast.unparse(found[1])
    return any(f"{one}.parameters()" in body or f"{one}.train()" in body for one in own)


def groups_apart(module):
    for call in module.by_type[ast.Call]:
        function = module.function(call)
        if function is None or p.called(call) != "train_test_split":
            continue
        groups = [one.arg for one in function.args.args if GROUPS.search(one.arg)]
        used = p.names_in(call) | p.names_in(*(one for one in function.body if one.lineno < call.lineno))
        if groups and groups[0] not in used:
            yield told(call, APART, call=p.text(call.func), group=groups[0])


def is_multiplied(module, name):
    """Whether the data are overlapping windows of a series, or hold something and its mirror image."""
    filled = [
        call.args[0] for call in module.methods("append") if p.text(call.func.value) == name.id and call.args
    ]
    same_scope = [each for each in filled if module.scope(each) is module.scope(name) and module.loops(each)]
    if any(is_window(each, p.text(module.loops(each)[0].target)) for each in same_scope):
        return all(len(getattr(module.loops(each)[0].iter, "args", ())) < 3 for each in same_scope)
    return any(holds_itself_twice(value) for value in module.results(name))


def is_window(value, step):
    """`s[i:i + n]`, of a step that a loop counts."""
    slices = (each.slice for each in p.inside(value, ast.Subscript) if isinstance(each.slice, ast.Slice))
    return any(p.text(one.lower) == step and p.text(one.upper).startswith(step + " +") for one in slices)


def holds_itself_twice(value):
    for call in p.inside(ast.Expr(value), ast.Call):
        if p.called(call) in WINDOWS:
            return True
        parts = getattr(call.args[0], "elts", ()) if p.called(call) in JOINING and call.args else ()
        along_samples = not p.constant(p.argument(call, 1, "dim", "axis")) and p.called(call) not in (
            "hstack",
            "stack",
        )
        if len(parts) == 2 and any(is_mirrored(*pair, along_samples) for pair in (parts, parts[::-1])):
            return True
    if isinstance(value, ast.ListComp) and isinstance(value.generators[0].iter, ast.Call):
        walked = value.generators[0]
        return len(walked.iter.args) < 3 and is_window(value.elt, p.text(walked.target))
    return False


def is_mirrored(one, other, along_samples):
    """`x` and `x.flip(-1)`; `cat([a, b])` and `cat([b, a])`."""
    if isinstance(one, ast.Name) and along_samples:
        return not isinstance(other, ast.Name) and p.names_in(other) - {"torch", "np"} == {one.id}
    lists = [
        [p.text(part) for each in p.inside(side, ast.List) for part in each.elts] for side in (one, other)
    ]
    return len(lists[0]) > 1 and lists[0] == lists[1][::-1]
