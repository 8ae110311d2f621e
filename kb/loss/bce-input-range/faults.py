def faults(host):
    yield from host.without_call("sigmoid")
    yield from host.with_text(", nn.Sigmoid()", "")
    yield from host.renamed("BCEWithLogitsLoss", "BCELoss")
    yield from host.with_argument("bce", 0, "{} + 1")
    yield from host.with_argument("criterion", 0, "{} * 100")
    yield from host.with_text("criterion = nn.MSELoss()", "criterion = nn.BCELoss()")
    yield from host.with_text("torch.rand(32, 5, 4)", "torch.rand(32, 5, 4) * 255")
