"""An adapter that is loaded or configured for inference, and then trained."""

import ast

from torchwhy.lint.module import argument, constant, position
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{code}`: {problem}, and the program trains",
    "zh": "`{code}`：{problem}，而程序要训练它",
}
FIX = {
    "en": "`{fix}`; print_trainable_parameters() shows what is trained",
    "zh": "`{fix}`；用 print_trainable_parameters() 查看要训练的参数",
}
IN_REPRO = None
FROZEN = (
    "the loaded adapter is frozen without is_trainable=True",
    "没有 is_trainable=True，加载的适配器是冻结的",
)
INFERENCE = (
    "inference_mode=True freezes the adapter",
    "inference_mode=True 会冻结适配器",
)


def find(module):
    if not trains(module):
        return
    for call in module.by_type[ast.Call]:
        name = module.name(call.func)
        if (
            name == "peft.PeftModel.from_pretrained"
            and constant(argument(call, -1, "is_trainable")) is not True
        ):
            if (
                argument(call, -1, "is_trainable") is None
                and not merged(module, call)
                and not done(module, call)
            ):
                yield wrong(call, code=short(call), problem=FROZEN, fix="is_trainable=True")
        elif name == "peft.LoraConfig" and constant(argument(call, -1, "inference_mode")) is True:
            yield wrong(call, code=short(call), problem=INFERENCE, fix="inference_mode=False")


def short(call):
    return ast.unparse(call)[:70]


def trains(module):
    """Whether the program takes steps: by hand, or by a Trainer."""
    trainers = [call for call in module.by_type[ast.Call] if module.name(call.func).endswith("Trainer")]
    by_hand = module.methods("backward") and module.methods("step")
    return bool(by_hand or trainers and module.methods("train"))


def done(module, call):
    """Whether the file's top trains before the load and not behind it: the adapter is loaded to be used."""
    starts = [
        position(each)
        for each in [*module.methods("train", "backward"), *module.calls("transformers.Trainer")]
        if module.scope(each) is module.tree
    ]
    return module.scope(call) is module.tree and bool(starts) and max(starts) < position(call)


def merged(module, call):
    """Whether its weights go into the model, or another adapter is put on top, so that it is not trained itself."""
    return bool(module.methods("merge_and_unload", "add_adapter", "set_adapter")) or bool(
        module.calls("peft.get_peft_model")
    )
