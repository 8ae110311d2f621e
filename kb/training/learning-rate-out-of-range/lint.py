"""A learning rate far outside of what the optimizer takes."""

# the script compares rates that it is given in a table
import ast

from torchwhy.lint import patterns as p

USUAL = {
    "Adam": ("1e-3", 0.5),
    "AdamW": ("3e-4", 0.5),
    "NAdam": ("1e-3", 0.5),
    "RMSprop": ("1e-3", 0.5),
    "SGD": ("0.1", 20.0),
}
# a prompt of a few vectors is trained at rates near 1
PROMPT = ("PromptTuningConfig", "PrefixTuningConfig", "PromptEncoderConfig")

SAYS = {
    "en": "lr={lr} is far outside of what {optimizer} takes (about {usual})",
    "zh": "lr={lr} 远超 {optimizer} 的合理范围（约 {usual}）",
}
FIX = {
    "en": "begin with {usual}",
    "zh": "从 {usual} 开始",
}
IN_REPRO = None


def find(module):
    if any(name in module.text for name in PROMPT) or module.is_test or not module.methods("backward"):
        return
    if module.calls("torch.optim.lr_scheduler.LambdaLR"):  # its function gives the rate, lr= a factor of it
        return
    for name, (usual, most) in USUAL.items():
        for call in module.calls(f"torch.optim.{name}"):
            rates = p.constants(module, p.argument(call, 1, "lr"))
            rate = rates.pop() if len(rates) == 1 else None
            if isinstance(rate, int | float) and rate >= most and not is_list(call):
                yield p.wrong(call, lr=str(rate), optimizer=name, usual=usual)


def is_list(call):
    """Whether tensors are listed by name, such as the pixels of a picture: their rate is in their own unit."""
    held = p.argument(call, 0, "params")
    return isinstance(held, ast.List | ast.Tuple) and not any(
        isinstance(each, ast.Dict | ast.Starred) for each in held.elts
    )
