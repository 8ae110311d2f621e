# A mask for all samples that is written into for each, in another function, in place, by its part.
MASKS = (
    """class Masks:
    def __init__(self, size):
        self.causal = torch.ones(size, size).tril().bool()

    def of(self, lengths):
        mask = self.causal.expand(len(lengths), -1, -1)
        return self.without_padding(mask, lengths)

    @staticmethod
    def without_padding(mask, lengths):
        padded = torch.arange(mask.size(-1))[None, :] >= lengths[:, None]
        mask &= ~padded[:, None, :]
        return mask


kept = Masks(3).of(torch.tensor([1, 2]))
assert kept.sum() == 8
""",
    """rows = torch.zeros(1, 3).expand(2, 3)
rows.add_(torch.ones(2, 3))
assert rows.sum() == 6
""",
    """table = torch.zeros(3)
rows = table.expand_as(torch.zeros(2, 3))
rows += 1
assert rows.sum() == 6 and table.sum() == 0
""",
)


def faults(host):
    for text in MASKS:
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text(".expand(-1, 3, -1, -1).clone()", ".expand(-1, 3, -1, -1)")
    yield from host.with_text("torch.full((ITEMS,), 3)", "torch.tensor([2]).expand(ITEMS).add_(1)")
    yield from host.with_text(
        "self.first.expand(x.size(0), -1, -1)", "self.first.detach().expand(x.size(0), -1, -1).mul_(1)"
    )
    yield from host.with_text(
        "ones, zeros = torch.ones(8)", "ones, zeros = torch.zeros(1).expand(8).fill_(1)"
    )
    yield from host.with_text(
        "start = torch.zeros(self.layers, ids.size(0), self.hidden)",
        "start = torch.ones(self.layers, 1, self.hidden).expand(-1, ids.size(0), -1).zero_()",
    )
    yield from host.with_text(
        "taken = torch.zeros(40, ACTIONS)", "taken = torch.zeros(1, ACTIONS).expand(40, ACTIONS)"
    )
    yield from host.with_text("running = torch.zeros(1)", "running = torch.zeros(1).expand(4)")
    yield from host.with_text("ids[:, 4:] = 0", "ids = ids[:1].expand(24, -1)\nids[:, 4:] = 0")
