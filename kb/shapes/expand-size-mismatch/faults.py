def faults(host):
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
