"""A mask that hides what is real, and shows padding."""

import torch
from torchwhy_watch import Watching, padded, same

MESSAGES = {
    "inverted": (
        "what {model} gives changes with the padding, and not with the tokens that are real: the mask is the wrong way round",
        "{model} 的结果随补齐内容而变，却不随真实 token 而变：掩码的含义正好反了",
    ),
    "unused": (
        "what {model} gives at real places changes with what the mask is to hide: the mask is not used, or the wrong way round",
        "{model} 在真实位置上的结果随掩码应当隐藏的内容而变：掩码没有起作用，或者含义反了",
    ),
    "missing": (
        "what {model} gives for a sample changes with the length to which it is padded: it is given no mask",
        "{model} 对同一样本的结果随补齐后的长度而变：没有给它掩码",
    ),
}

READS_ON = (
    torch.nn.RNNBase,
    torch.nn.modules.conv._ConvNd,
)  # what they give has neighbours in it, masked or not


class Guard(Watching):
    def on_probe(self, probed):
        for asked in probed.calls:
            if any(isinstance(one, READS_ON) for one in asked.model.modules()):
                continue
            given = asked.tensors()
            for tokens in given:
                padding = padded(tokens) if tokens.dim() == 2 else None
                if padding is not None:
                    masks = [one for one in given if one is not tokens and tells(one, padding)]
                    if masks:
                        self._look(asked, tokens, padding)
                    else:
                        self._trim(asked, tokens, padding)

    def _trim(self, asked, tokens, padding):
        """One sample alone, with its padding and without."""
        row = int(padding.sum(1).argmax())
        size, length = padding.shape[1], int((~padding[row]).sum())

        def alone(one):
            return one[row : row + 1] if one.dim() and len(one) == len(tokens) else one

        def trimmed(one):
            one = alone(one)
            return one[:, :length] if one.dim() > 1 and one.shape[1] == size else one

        def kept(one):
            if one.dim() > 1 and one.shape[1] in (size, length):
                one = one[:, :length]
            return one.new_zeros(()) if size in one.shape or length in one.shape[2:] else one

        if length and asked.is_settled():
            usual, other = ([kept(one) for one in asked.answer(change)] for change in (alone, trimmed))
            if not same(usual, other):
                self.report("missing", asked.first_line(alone, trimmed, kept), model=asked.call.counted.name)

    def _look(self, asked, tokens, padding):
        """Other tokens at the hidden places, and at the real ones, while the mask stays as it is."""
        if not asked.is_settled():
            return
        real = tokens[~padding]
        others = real[torch.arange(tokens.numel()) % len(real)].reshape(tokens.shape)

        def hidden(one):
            return torch.where(padding, others, one) if is_tokens(one) else one

        def shown(one):
            return torch.where(padding, one, others) if is_tokens(one) else one

        def is_tokens(one):
            return one.shape == tokens.shape and torch.equal(one, tokens)

        def kept(one):
            if one.dim() > 1 and one.shape[:2] == padding.shape:
                return one[~padding]
            return one if one.dim() else one * 0

        usual = [kept(one) for one in asked.answer()]
        if same(usual, [kept(one) for one in asked.answer(hidden)]):
            return
        pooled = all(one.shape[:2] != padding.shape for one in asked.answer())
        key = "inverted" if pooled and same(usual, [kept(one) for one in asked.answer(shown)]) else "unused"
        self.report(key, asked.first_line(None, hidden, kept), model=asked.call.counted.name)


def tells(mask, padding):
    """Whether a tensor says of each place whether it is padding."""
    if mask.shape != padding.shape:
        return False
    return torch.equal(mask.bool(), padding) or torch.equal(mask.bool(), ~padding)
