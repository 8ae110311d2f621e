"""A loss class called like a function."""

import ast

from torchwhy.lint import patterns as p

PLAIN = frozenset(
    "MSELoss L1Loss CrossEntropyLoss NLLLoss BCELoss BCEWithLogitsLoss SmoothL1Loss HuberLoss KLDivLoss".split()
)

SAYS = {
    "en": "`{call}` makes a loss object out of tensors: the class takes options",
    "zh": "`{call}` 用张量去构造损失对象：这个类接收的是选项",
}
FIX = {
    "en": "make it first: `{name}()(output, target)`",
    "zh": "先创建对象：`{name}()(output, target)`",
}
IN_REPRO = "loss = criterion(model(x), y)"


def find(module):
    for call in module.by_type[ast.Call]:
        name = module.name(call.func)
        if name.startswith("torch.nn.") and name.rsplit(".", 1)[-1] in PLAIN and len(call.args) == 2:
            literal = (
                isinstance(arg, ast.Constant | ast.Starred) or p.constant(arg) is not None
                for arg in call.args
            )
            if not any(literal):
                yield p.wrong(call, call=p.text(call, 60), name=p.text(call.func))
