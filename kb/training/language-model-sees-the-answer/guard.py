"""A model that is to give the next token is given it: targets without a shift, or no causal mask."""

import torch
from torchwhy_watch import CLASSIFYING, Watching, same

MESSAGES = {
    "not_shifted": (
        "the target at each place is the token that {model} is given there: shift the targets by one, or it learns to copy",
        "每个位置的目标就是 {model} 在该位置得到的 token：目标要错开一位，否则模型只学会照抄",
    ),
    "sees": (
        "the target at each place is the next token, and what {model} gives there changes with the tokens behind it: no causal mask?",
        "每个位置的目标是下一个 token，而 {model} 在该位置的结果随其后的 token 而变：是否少了因果掩码？",
    ),
}
FEWEST_PLACES, FEWEST_TOKENS = 4, 3
NEARLY = 0.95  # of the places


class Guard(Watching):
    def on_probe(self, probed):
        loss = probed.loss
        if loss is None or loss.target is None or loss.name not in CLASSIFYING:
            return
        for asked in probed.calls:
            for tokens in asked.tensors():
                numbers = tokens.dim() == 2 and not tokens.is_floating_point()
                if (
                    numbers
                    and loss.target.numel() == tokens.numel()
                    and len(tokens.unique()) >= FEWEST_TOKENS
                ):
                    self._look(asked, tokens, loss)

    def _look(self, asked, tokens, loss):
        target = loss.target.reshape(tokens.shape)
        for time in (1, 0):
            places = tokens.shape[time] - 1
            copied = agree(target, tokens)
            next_one = agree(target.narrow(time, 0, places), tokens.narrow(time, 1, places))
            if places < FEWEST_PLACES or not (copied or next_one):
                continue
            at = later_reaches_earlier(asked, tokens, time)
            if copied and at == "":
                self.report("not_shifted", asked.line_of_target(loss), model=asked.call.counted.name)
            elif not copied and at:
                self.report("sees", at, model=asked.call.counted.name)


def agree(target, tokens):
    return float((target == tokens).float().mean()) >= NEARLY


def later_reaches_earlier(asked, tokens, time):
    """By which line tokens of the second half change what is given in the first; "" where they do not, None
    where the model does not say.
    """
    half = tokens.shape[time] // 2
    other = tokens.flip(time).narrow(time, 0, tokens.shape[time] - half)

    def later(one):
        if one.shape != tokens.shape or not torch.equal(one, tokens):
            return one
        return torch.cat([one.narrow(time, 0, half), other], time)

    def earlier(one):
        if one.dim() > 2 and one.shape[:2] == tokens.shape:
            return one.narrow(time, 0, half)
        return one.new_zeros(())  # nothing of it is said of one place

    usual = asked.answer()
    told = any(one.dim() == 3 and one.shape[:2] == tokens.shape for one in usual)
    if not told or torch.equal(later(tokens), tokens) or not asked.is_settled():
        return None
    if same([*map(earlier, usual)], [*map(earlier, asked.answer(later))]):
        return ""
    return asked.first_line(None, later, earlier)
