"""Two transforms of one program, of which only the training's normalises, or with other numbers."""

import ast

from torchwhy.lint import patterns as p

COMPOSES = ("torchvision.transforms.Compose", "torchvision.transforms.v2.Compose")
LATER = ("test", "val", "eval", "infer", "pred", "deploy", "serve")
MAKERS = ("ToTensor", "PILToTensor", "ToImage", "ConvertImageDtype", "ToDtype")
OTHERWISE = {
    False: ("does not normalise", "没有做归一化"),
    True: ("normalises by other numbers", "归一化的数值不同"),
}

SAYS = {
    "en": "`{name}` {problem}, unlike `{trained}`: the model sees other inputs than it was trained on",
    "zh": "`{name}` {problem}，与 `{trained}` 不同：模型看到的输入与训练时不一样",
}
FIX = {
    "en": "give both the same Normalize; only random augmentation belongs to training alone",
    "zh": "两者使用相同的 Normalize；只有随机增强才只属于训练",
}
IN_REPRO = None


def find(module):
    found = {p.assigned(module, call): call for call in module.calls(*COMPOSES) if is_known(module, call)}
    trained = [name for name in found if "train" in name.lower()]
    usual = normalised(module, found[trained[0]]) if len(trained) == 1 else ()
    for name, call in found.items() if usual else ():
        own = normalised(module, call)
        if own != usual and any(each in name.lower() for each in LATER):
            yield p.wrong(call, name=name, trained=trained[0], problem=OTHERWISE[bool(own)])


def is_known(module, call):
    """Whether it is kept by a name, and every step is a call of torchvision's, one of which makes the tensor."""
    steps = call.args[0].elts if call.args and isinstance(call.args[0], ast.List) else []
    names = [module.name(each.func) if isinstance(each, ast.Call) else "" for each in steps]
    known = all(name.startswith("torchvision.transforms.") for name in names)
    return bool(p.assigned(module, call)) and known and any(name.endswith(MAKERS) for name in names)


def normalised(module, call):
    """The numbers of Normalize, as they are written or stand for; () without it."""
    for each in call.args[0].elts:
        if module.name(each.func).endswith(".Normalize"):
            numbers = [p.argument(each, at, name) for at, name in enumerate(("mean", "std"))]
            return tuple(p.text((module.values(one) or [one])[0]) for one in numbers if one is not None)
    return ()
