"""A device numbered as nvidia-smi numbers it, where CUDA_VISIBLE_DEVICES shows fewer cards."""

import ast
import re

from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{code}`: with CUDA_VISIBLE_DEVICES={visible} the cards are numbered from 0 to {last}",
    "zh": "`{code}`：设了 CUDA_VISIBLE_DEVICES={visible} 之后，显卡编号为 0 到 {last}",
}
FIX = {
    "en": "count among the visible cards: the first of them is cuda:0",
    "zh": "按可见的显卡计数：其中第一张是 cuda:0",
}
IN_REPRO = None


def find(module):
    visible = {
        constant(node.value)
        for node in module.by_type[ast.Assign]
        if isinstance(node.targets[0], ast.Subscript)
        and module.name(node.targets[0].value) == "os.environ"
        and constant(node.targets[0].slice) == "CUDA_VISIBLE_DEVICES"
    }
    cards = visible.pop() if len(visible) == 1 else None
    if not isinstance(cards, str) or not re.fullmatch(r"\d+(, ?\d+)*", cards):
        return
    count = cards.count(",") + 1
    for node, number in ordinals(module):
        if number >= count:
            yield wrong(node, code=ast.unparse(node), visible=cards, last=str(count - 1))


def ordinals(module):
    """(call, card) of every device that the file names by a literal."""
    for call in module.by_type[ast.Call]:
        name = module.name(call.func)
        method = isinstance(call.func, ast.Attribute) and call.func.attr
        given = constant(argument(call, 0, "device"))
        if method in ("cuda", "set_device") and isinstance(given, int) and not isinstance(given, bool):
            yield call, given
        elif name == "torch.device" or method == "to" or name.startswith("torch."):
            text = (
                given if name == "torch.device" or method == "to" else constant(argument(call, -1, "device"))
            )
            card = re.fullmatch(r"cuda:(\d+)", text) if isinstance(text, str) else None
            if card:
                yield call, int(card[1])
