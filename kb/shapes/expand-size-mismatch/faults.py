# A vector that is to be a token of each sample, in a class, a function and in place.
TOKENS = (
    """class Token(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.token = torch.nn.Parameter(torch.zeros(3))

    def forward(self, batch):
        return self.token.expand(batch, -1, -1)


first = Token()(4)
assert first.shape == (4, 1, 3)
""",
    """def rows(vector, number):
    return vector.expand(number, -1, -1, 5)


assert rows(torch.ones(1), 2).shape == (2, 1, 1, 5)
""",
    "wide = torch.zeros(2, 3).expand(-1, 2, 3)\nassert wide.shape == (1, 2, 3)\n",
)


def faults(host):
    for text in TOKENS:
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text(
        "self.first.expand(x.size(0), -1, -1)", "self.first[0, 0].expand(x.size(0), -1, -1)"
    )
    yield from host.with_text(
        "self.first.expand(x.size(0), -1, -1)",
        "self.first[0].expand(x.size(0), 2, -1)[:, :1].expand(x.size(0), 2, 3)",
    )
    yield from host.with_text("torch.full((ITEMS,), 3)", "torch.tensor([3, 3]).expand(ITEMS)")
    yield from host.with_text(
        "torch.zeros(self.layers, ids.size(0), self.hidden)",
        "torch.zeros(self.layers, 1, self.hidden).expand(-1, ids.size(0))",
    )
    yield from host.with_text("padding[:, None, None, :]", "padding.expand(scores.shape)")
    yield from host.with_text("scores.masked_fill(~mask", "scores.masked_fill(~mask.expand(b, 3, t, t + 1)")
    yield from host.with_text("ones, zeros = torch.ones(8)", "ones, zeros = torch.ones(2).expand(8)")
