MASKED = """class Looks(torch.nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.mix = torch.nn.MultiheadAttention(width, 2, batch_first=True)

    def forward(self, x, lengths):
        missing = torch.arange(x.size(1)){index}
        return self.mix(x, x, x, key_padding_mask={mask})[0]


assert Looks()(torch.ones(2, 5, 4), torch.tensor([5, 3])).shape == (2, 5, 4)
"""
OVER = MASKED.format(index="[:, None] >= lengths[None]", mask="missing")
PART = MASKED.format(index=".unsqueeze(1).ge(lengths)", mask="missing")
LENGTH_FIRST = """class Reader(torch.nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.table = torch.nn.Embedding(9, width)
        self.read = torch.nn.TransformerEncoderLayer(width, 2, 8)

    def forward(self, ids):
        later = torch.triu(torch.ones(len(ids), len(ids)), diagonal=1).bool()
        missing = ids.eq(0)
        return self.read(self.table(ids), src_mask=later, src_key_padding_mask=missing)


assert Reader().eval()(torch.tensor([[3, 4], [5, 0], [6, 0]])).shape == (3, 2, 4)
"""


def faults(host):
    for text in (LENGTH_FIRST, OVER, PART):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_argument("MultiheadAttention", 1, "{} + 1")
    for attention in ("MultiheadAttention", "TransformerEncoderLayer"):
        yield from host.without_argument(attention, "batch_first")
    yield from host.with_argument("TransformerEncoderLayer", 1, "5")
    yield from host.with_text("src_key_padding_mask=padding", "src_key_padding_mask=padding.T")
    yield from host.with_text("src_key_padding_mask=padding", "src_key_padding_mask=padding.long()")
    yield from host.with_text("self.mix(x, x, x)", "self.mix(x, x[:, 1:], x)")
    yield from host.with_text("self.mix(x, x, x)", "self.mix(x, x, x, attn_mask=torch.ones(3, 3))")
    yield from host.with_text("shares = scores", "shares = nn.MultiheadAttention(c, 5)(x, x, x)[0] + scores")
    yield from host.with_text(
        "self.mix(x, x, x)", "self.mix(x, x, x, key_padding_mask=torch.zeros(x.size(1), x.size(0)).bool())"
    )
    yield from host.with_text(
        "print(tuple(hidden",
        "mixed = nn.MultiheadAttention(DIM, HEADS)(torch.ones(6, 2, DIM), torch.ones(6, 2, DIM), torch.ones(6, 2, DIM), key_padding_mask=torch.zeros(6, 2).bool())\nprint(tuple(hidden",
    )
