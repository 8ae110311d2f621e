"""`model.forward(x)`, which skips hooks and wrappers."""

import ast

from torchwhy.lint.kinds import is_module
from torchwhy.lint.module import constant
from torchwhy.lint.rule import Edit, look, wrong

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
    hooks = {ast.unparse(each.func.value) for each in module.methods(*HOOKS)}
    for call in module.methods("forward"):
        owner = call.func.value
        name = module.name(owner)
        if name in ("self", "") and not isinstance(owner, ast.Call | ast.Attribute | ast.Subscript):
            continue
        if isinstance(owner, ast.Call) and module.name(owner.func) == "builtins.super":
            continue
        if name in module.classes or name.split(".")[-1][:1].isupper() or constant(owner) is not None:
            continue
        shown = {"call": ast.unparse(call.func), "owner": ast.unparse(owner)}
        hooked = shown["owner"] in hooks
        wrapped = any(  # its own forward does what it is there for: only hooks are passed by
            isinstance(value, ast.Call) and module.name(value.func) in SYNCING
            for value in module.values(owner)
        )
        if hooked:
            yield wrong(call, **shown, edit=edit(module, call))
        elif wrapped or is_module(module, owner):
            yield look(call, **shown)


def edit(module, call):
    """`.forward` taken out, which is right wherever a module is called."""
    line = call.func.end_lineno
    if call.func.value.end_lineno != line or not module.lines[line - 1].isascii():
        return None
    return Edit(line, call.func.value.end_col_offset, call.func.end_col_offset, "")
