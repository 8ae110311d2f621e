"""Two transforms of one program, of which only the training's normalises, or with other numbers."""

import ast

from torchwhy.lint.module import argument
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{name}` {problem}, unlike `{trained}`: the model sees other inputs than it was trained on",
    "zh": "`{name}` {problem}，与 `{trained}` 不同：模型看到的输入与训练时不一样",
}
FIX = {
    "en": "give both the same Normalize; only random augmentation belongs to training alone",
    "zh": "两者使用相同的 Normalize；只有随机增强才只属于训练",
}
IN_REPRO = None
COMPOSES = ("torchvision.transforms.Compose", "torchvision.transforms.v2.Compose")
LATER = ("test", "val", "eval", "infer", "pred", "deploy", "serve")


def find(module):
    found = {}
    for call in module.calls(*COMPOSES):
        above = module.parent[call]
        if isinstance(above, ast.Assign) and call.args and isinstance(call.args[0], ast.List):
            found[ast.unparse(above.targets[0])] = call
    trained = [name for name in found if "train" in name.lower()]
    if len(trained) != 1 or not trusted(module, found[trained[0]]):
        return
    usual = normalised(module, found[trained[0]])
    for name, call in found.items():
        if usual is None or not any(each in name.lower() for each in LATER) or not trusted(module, call):
            continue
        own = normalised(module, call)
        if own is None:
            yield wrong(call, name=name, trained=trained[0], problem=("does not normalise", "没有做归一化"))
        elif own != usual:
            yield wrong(
                call,
                name=name,
                trained=trained[0],
                problem=("normalises by other numbers", "归一化的数值不同"),
            )


def trusted(module, call):
    """Whether every step is a call of torchvision's, one of which makes the tensor."""
    names = [module.name(each.func) if isinstance(each, ast.Call) else "" for each in call.args[0].elts]
    makes = ("ToTensor", "PILToTensor", "ToImage", "ConvertImageDtype", "ToDtype")
    return all(name.startswith("torchvision.transforms.") for name in names) and any(
        name.endswith(makes) for name in names
    )


def normalised(module, call):
    """The numbers of Normalize, as they are written or stand for; None without it."""
    for each in call.args[0].elts:
        if module.name(each.func).endswith(".Normalize"):
            given = [argument(each, at, name) for at, name in enumerate(("mean", "std"))]
            return tuple(ast.unparse((module.values(one) or [one])[0]) for one in given if one is not None)
    return None
