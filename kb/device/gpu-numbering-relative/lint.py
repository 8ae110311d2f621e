"""A device numbered as nvidia-smi numbers it, where CUDA_VISIBLE_DEVICES shows fewer cards."""

import ast
import re

from torchwhy.lint import patterns as p

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
    visible = {p.constant(value) for _, _, value in p.environment(module, "CUDA_VISIBLE_DEVICES")}
    cards = visible.pop() if len(visible) == 1 else None
    if not isinstance(cards, str) or not re.fullmatch(r"\d+(, ?\d+)*", cards):
        return
    last = cards.count(",")
    for call in module.by_type[ast.Call]:
        number = ordinal(module, call)
        if number is not None and number > last:
            yield p.wrong(call, code=p.text(call), visible=cards, last=str(last))


def ordinal(module, call):
    """The card that a call names by a literal."""
    name, given = module.name(call.func), p.constant(p.argument(call, 0, "device"))
    if p.method(call) in ("cuda", "set_device") and isinstance(given, int) and not isinstance(given, bool):
        return given
    if name != "torch.device" and p.method(call) != "to":
        given = p.constant(p.argument(call, -1, "device")) if name.startswith("torch.") else None
    card = re.fullmatch(r"cuda:(\d+)", given) if isinstance(given, str) else None
    return int(card[1]) if card else None
