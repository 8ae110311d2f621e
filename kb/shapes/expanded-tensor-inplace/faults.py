def faults(host):
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
