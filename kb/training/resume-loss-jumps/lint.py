"""A training that goes on from a checkpoint, of which only the weights are loaded."""

import ast

from torchwhy.lint import patterns as p

STATEFUL = ("Adam", "AdamW", "NAdam", "RAdam", "Adamax", "RMSprop", "Adagrad")
PROGRESS = ("epoch", "step", "iter", "iteration", "global_step", "it")

SAYS = {
    "en": "`{code}` resumes the weights alone: `{optimizer}` begins without its averages of the gradients",
    "zh": "`{code}` 只恢复了权重：`{optimizer}` 丢失了已积累的梯度平均",
}
FIX = {
    "en": "save and load `{optimizer}.state_dict()` (and the scheduler's) with the weights",
    "zh": "把 `{optimizer}.state_dict()`（以及调度器的）与权重一起保存和加载",
}
IN_REPRO = None


def find(module):
    if not (module.methods("backward") and module.methods("step")):
        return
    loads = module.methods("load_state_dict")
    if any(
        p.kind(module, load.func.value) not in ("module", "") or "opt" in p.text(load).lower()
        for load in loads
    ):
        return
    kept = [p.assigned(module, made) for made in p.optimizers(module) if keeps_state(module, made)]
    optimizer = next(filter(None, kept), "")
    for load in loads if optimizer else ():
        part = load.args[0] if load.args else None
        if (
            isinstance(part, ast.Subscript)
            and isinstance(part.value, ast.Name)
            and resumes(module, part.value)
        ):
            if not to_evaluate(module, load):
                yield p.wrong(load, code=p.text(load), optimizer=optimizer)
                return


def to_evaluate(module, load):
    """Whether the function puts the model into eval() around the load, and no training follows there."""
    owner = p.text(load.func.value)

    def here(*names):
        return [each for each in module.methods(*names) if module.scope(each) is module.scope(load)]

    trains = any(p.position(each) > p.position(load) for each in here("backward", "train", "step"))
    return not trains and any(p.text(each.func.value) == owner for each in here("eval"))


def keeps_state(module, made):
    """Whether an optimizer averages gradients over steps."""
    name = module.name(made.func).rsplit(".", 1)[-1]
    return name in STATEFUL or name == "SGD" and bool(p.constant(p.argument(made, -1, "momentum")))


def resumes(module, checkpoint):
    """Whether a loaded checkpoint also tells how far the training had come."""
    parts = (each for each in module.by_type[ast.Subscript] if p.text(each.value) == checkpoint.id)
    return bool(p.values_by(module, checkpoint, "torch.load")) and any(
        p.constant(each.slice) in PROGRESS and module.scope(each) is module.scope(checkpoint)
        for each in parts
    )
