"""A training that goes on from a checkpoint, of which only the weights are loaded."""

import ast

from torchwhy.lint.kinds import kind
from torchwhy.lint.module import argument, constant, position
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{code}` resumes the weights alone: `{optimizer}` begins without its averages of the gradients",
    "zh": "`{code}` 只恢复了权重：`{optimizer}` 丢失了已积累的梯度平均",
}
FIX = {
    "en": "save and load `{optimizer}.state_dict()` (and the scheduler's) with the weights",
    "zh": "把 `{optimizer}.state_dict()`（以及调度器的）与权重一起保存和加载",
}
IN_REPRO = None
STATEFUL = ("Adam", "AdamW", "NAdam", "RAdam", "Adamax", "RMSprop", "Adagrad")
PROGRESS = ("epoch", "step", "iter", "iteration", "global_step", "it")


def find(module):
    if not (module.methods("backward") and module.methods("step")):
        return
    loads = module.methods("load_state_dict")
    if any(
        kind(module, call.func.value) not in ("module", "") or "opt" in ast.unparse(call).lower()
        for call in loads
    ):
        return
    optimizers = [node for node in module.by_type[ast.Assign] if keeps_state(module, node.value)]
    for call in loads if optimizers else ():
        kept = call.args[0] if call.args else None
        if (
            isinstance(kept, ast.Subscript)
            and isinstance(kept.value, ast.Name)
            and resumes(module, kept.value)
            and not to_evaluate(module, call)
        ):
            yield wrong(call, code=ast.unparse(call), optimizer=ast.unparse(optimizers[0].targets[0]))
            return


def to_evaluate(module, load):
    """Whether the function puts the model into eval() around the load, and no training follows there."""
    scope, owner = module.scope(load), ast.unparse(load.func.value)
    near = [call for call in module.methods("eval") if module.scope(call) is scope]
    later = [
        call
        for call in module.methods("backward", "train", "step")
        if module.scope(call) is scope and position(call) > position(load)
    ]
    return any(ast.unparse(call.func.value) == owner for call in near) and not later


def keeps_state(module, made):
    """Whether a value is an optimizer that averages gradients over steps."""
    if not isinstance(made, ast.Call) or not module.name(made.func).startswith("torch.optim."):
        return False
    name = module.name(made.func).rsplit(".", 1)[-1]
    return name in STATEFUL or name == "SGD" and bool(constant(argument(made, -1, "momentum")))


def resumes(module, checkpoint):
    """Whether a loaded checkpoint also tells how far the training had come."""
    loaded = any(
        isinstance(value, ast.Call) and module.name(value.func) == "torch.load"
        for value in module.values(checkpoint)
    )
    return loaded and any(
        isinstance(node.value, ast.Name)
        and node.value.id == checkpoint.id
        and constant(node.slice) in PROGRESS
        for node in module.by_type[ast.Subscript]
        if module.scope(node) is module.scope(checkpoint)
    )
