"""A metric of scikit-learn with its arguments the wrong way round, or with labels where it needs scores."""

import ast
import re

from torchwhy.lint import patterns as p

TRUE = re.compile(r"(^|_)(true|labels?|targets?|gt|truths?|y|ys|y_val|y_test)(_|$)|^y(val|test)$", re.I)
GUESSED = re.compile(r"pred|prob|out|logit|score|hat", re.I)
ONE_WAY = ("precision_score", "recall_score", "roc_auc_score", "average_precision_score", "r2_score")
ONE_WAY = (*ONE_WAY, "classification_report", "precision_recall_fscore_support", "log_loss", "roc_curve")
RANKING = ("roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve")

SWAPPED = (
    "`{metric}` takes the true values first: here `{first}` is taken for the truth, and precision and recall change places",
    "`{metric}` 的第一个参数是真实值：这里 `{first}` 被当成了真实值，精确率和召回率也就对调了",
    "{metric}({second}, {first})",
)
LABELS = (
    "`{metric}` ranks by scores, and `{second}` are labels already: all thresholds but one are lost",
    "`{metric}` 要按分数排序，而 `{second}` 已经是类别：除一个阈值外的信息都丢失了",
    "give it the probabilities or logits: `torch.sigmoid(logits)`, `probabilities[:, 1]`",
)
SAYS = {"en": "{problem}", "zh": "{problem}"}
FIX = {"en": "`{remedy}`", "zh": "`{remedy}`"}
IN_REPRO = "auc = roc_auc_score(labels, predicted)"


def find(module):
    for call in module.by_type[ast.Call]:
        name = module.name(call.func)
        metric = name.rsplit(".", 1)[-1]
        if not name.startswith("sklearn.metrics") or len(call.args) < 2:
            continue
        words = {"metric": metric, "first": p.text(call.args[0]), "second": p.text(call.args[1])}
        if metric in ONE_WAY and is_swapped(*call.args[:2]):
            yield told(call, SWAPPED, words)
        elif metric in RANKING and are_labels(module, call.args[1]):
            yield told(call, LABELS, words)


def told(call, texts, words):
    en, zh, remedy = (text.format(**words) for text in texts)
    return p.wrong(call, problem=(en, zh), remedy=remedy)


def is_swapped(first, second):
    first, second = " ".join(p.names_in(first)), " ".join(p.names_in(second))
    guess_first = GUESSED.search(first) and not TRUE.search(first)
    return bool(guess_first and TRUE.search(second) and not GUESSED.search(second))


def are_labels(module, node, steps=4):
    """Whether the scores come from an argmax, a rounding or a comparison, also through a list."""
    values = [*module.values(node), *filled_with(module, node)]
    return any(is_cut(module, value, steps) for value in values)


def is_cut(module, value, steps):
    if isinstance(value, ast.Compare):
        return True
    if not isinstance(value, ast.Call) or steps <= 0:
        return False
    name = p.called(value)
    if name in ("argmax", "round", "heaviside"):
        return True
    inner = [value.func.value] if p.method(value) and "." not in module.name(value.func) else []
    inner += value.args[:1] if name in ("cat", "concatenate", "array", "hstack", "int") else []
    keeps = name in (
        "cat",
        "concatenate",
        "array",
        "hstack",
        "int",
        "float",
        "long",
        "cpu",
        "numpy",
        "tolist",
        "astype",
        "detach",
        "squeeze",
    )
    return keeps and any(are_labels(module, one, steps - 1) for one in inner)


def filled_with(module, node):
    """What is appended to the list of that name in the same scope."""
    for call in module.methods("append", "extend") if isinstance(node, ast.Name) else ():
        if p.text(call.func.value) == node.id and call.args and module.scope(call) is module.scope(node):
            yield from module.values(call.args[0])
