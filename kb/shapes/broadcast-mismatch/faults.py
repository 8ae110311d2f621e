def faults(host):
    yield from host.with_text("[:, None, None, :]", "[:, None, :]")
    yield from host.with_text("tokens + 1", "tokens")
    yield from host.with_text("sum(1)", "sum(0)")
    yield from host.with_text(".cumsum(0).flip(0)", ".cumsum(0)[1:]")
    yield from host.with_text("nn.Embedding(length", "nn.Embedding(2 * length")
    yield from host.with_text("torch.arange(ids.size(1))", "torch.arange(LENGTH)")
    yield from host.with_text("torch.ones(t, t)", "torch.ones(t + 1, t + 1)")
    yield from host.with_text("torch.zeros(items)", "torch.zeros(items, 2)")
    yield from host.with_text("* self.items(item)", "* self.items.weight")
    yield from host.with_text(
        "self.outer = nn.Linear(2 * width, width)", "self.outer = nn.Linear(2 * width, width + 1)"
    )
    yield from host.with_text("nn.Linear(hidden, hidden)", "nn.Linear(hidden, hidden + 1)")
    yield from host.with_text("out.reshape", "out[:, 1:].reshape")
    yield from host.with_argument("mse_loss", 1, "{}[:-1]")
    yield from host.with_argument("smooth_l1_loss", 1, "{}[1:]")
