"""resize_ of a tensor that somebody else holds."""

import ast

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{call}` changes the tensor itself: everybody who holds `{owner}` sees the new shape",
    "zh": "`{call}` 会改变张量本身：所有持有 `{owner}` 的代码都会看到新形状",
}
FIX = {
    "en": "use view, reshape or unsqueeze, which give a new tensor",
    "zh": "使用 view、reshape 或 unsqueeze，它们给出新的张量",
}
IN_REPRO = "run(lambda label: label.resize_(len(label), 1))"


def find(module):
    for call in module.methods("resize_", "squeeze_", "unsqueeze_", "t_", "transpose_"):
        owner, resizes = call.func.value, call.func.attr == "resize_"
        if isinstance(owner, ast.Name) and (call.args or not resizes):
            bound = module.bindings(owner)
            handed = bool(bound) and all(each.part in ("param", "each") for each in bound)
            seen = p.wrong if handed and resizes and not owner.id.startswith(("out", "buf")) else p.look
            yield seen(call, call=p.text(call), owner=owner.id)
