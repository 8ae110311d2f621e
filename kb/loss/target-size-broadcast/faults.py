def faults(host):
    for loss in ("criterion", "bce", "binary_cross_entropy"):
        yield from host.with_argument(loss, 1, "{}.unsqueeze(1)")
        yield from host.with_argument(loss, 0, "{}.unsqueeze(1)")
        yield from host.with_argument(loss, 1, "{}.flatten()")
    yield from host.with_text("self.body(x).view(-1)", "self.body(x)")
    yield from host.with_text(", keepdim=True", "")
    yield from host.with_text("torch.ones(8), torch.zeros(8)", "torch.ones(8, 1), torch.zeros(8, 1)")
