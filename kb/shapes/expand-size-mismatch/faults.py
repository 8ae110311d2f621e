def faults(host):
    yield from host.with_argument("expand", 0, "{} + 1")
    yield from host.with_argument("expand", 1, "3")
    yield from host.with_text(
        "self.first.expand(x.size(0), -1, -1)",
        "self.first.squeeze().expand(x.size(0), -1)[:, 0].expand(3, 3)",
    )
    yield from host.with_text("torch.full((ITEMS,), 3)", "torch.tensor([3, 3]).expand(ITEMS)")
    yield from host.with_text(
        "start = torch.zeros(self.layers, ids.size(0), self.hidden)",
        "start = torch.zeros(self.layers, 1, self.hidden).expand(-1, ids.size(0))",
    )
    yield from host.with_text("padding[:, None, None, :]", "padding.expand(scores.shape)")
