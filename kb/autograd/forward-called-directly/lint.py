"""`model.forward(x)`, which skips hooks and wrappers."""

import ast

from torchwhy.lint import patterns as p

HOOKS = ("register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook")
SYNCING = (
    "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.DataParallel",
    "torch.distributed.fsdp.FullyShardedDataParallel",
)

SAYS = {
    "en": "`{call}` runs the layer without its hooks and wrappers",
    "zh": "`{call}` 会绕过该模块的钩子和外层包装",
}
FIX = {
    "en": "call the module itself: `{owner}(...)`",
    "zh": "直接调用模块：`{owner}(...)`",
}
IN_REPRO = "classify(lambda x: backbone.forward(x))"


def find(module):
    hooks = {p.text(each.func.value) for each in module.methods(*HOOKS)}
    for call in module.methods("forward"):
        owner = call.func.value
        name = module.name(owner)
        if name in ("self", "") and not isinstance(owner, ast.Call | ast.Attribute | ast.Subscript):
            continue
        of_class = name in module.classes or name.split(".")[-1][:1].isupper()
        if of_class or p.constant(owner) is not None or p.is_call(module, owner, "builtins.super"):
            continue
        shown = {"call": p.text(call.func), "owner": p.text(owner)}
        if shown["owner"] in hooks:
            # `.forward` taken out, which is right wherever a module is called
            yield p.wrong(call, p.edit(module, p.end(owner), p.end(call.func), ""), **shown)
        # a wrapper's own forward does what it is there for: only hooks are passed by
        elif p.values_by(module, owner, *SYNCING) or p.is_module(module, owner):
            yield p.look(call, **shown)
