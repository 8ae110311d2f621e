"""An adapter that is loaded or configured for inference, and then trained."""

import ast

from torchwhy.lint import patterns as p

FROZEN = (
    "the loaded adapter is frozen without is_trainable=True",
    "没有 is_trainable=True，加载的适配器是冻结的",
)
INFERENCE = (
    "inference_mode=True freezes the adapter",
    "inference_mode=True 会冻结适配器",
)

SAYS = {
    "en": "`{code}`: {problem}, and the program trains",
    "zh": "`{code}`：{problem}，而程序要训练它",
}
FIX = {
    "en": "`{fix}`; print_trainable_parameters() shows what is trained",
    "zh": "`{fix}`；用 print_trainable_parameters() 查看要训练的参数",
}
IN_REPRO = None


def find(module):
    if not trains(module):
        return
    for call in module.calls("peft.PeftModel.from_pretrained"):
        told = p.argument(call, -1, "is_trainable") is not None
        if not (told or is_merged(module) or is_done(module, call)):
            yield p.wrong(call, code=p.text(call, 70), problem=FROZEN, fix="is_trainable=True")
    for call in module.calls("peft.LoraConfig"):
        if p.constant(p.argument(call, -1, "inference_mode")) is True:
            yield p.wrong(call, code=p.text(call, 70), problem=INFERENCE, fix="inference_mode=False")


def trains(module):
    """Whether the program takes steps: by hand, or by a Trainer."""
    trainers = any(module.name(call.func).endswith("Trainer") for call in module.by_type[ast.Call])
    by_hand = module.methods("backward") and module.methods("step")
    return bool(by_hand or trainers and module.methods("train"))


def is_done(module, call):
    """Whether the file's top trains before the load and not behind it: the adapter is loaded to be used."""
    starts = [*module.methods("train", "backward"), *module.calls("transformers.Trainer")]
    starts = [p.position(each) for each in starts if module.scope(each) is module.tree]
    return module.scope(call) is module.tree and bool(starts) and max(starts) < p.position(call)


def is_merged(module):
    """Whether its weights go into the model, or another adapter is put on top, so that it is not trained itself."""
    merges = module.methods("merge_and_unload", "add_adapter", "set_adapter")
    return bool(merges or module.calls("peft.get_peft_model"))
