def faults(host):
    yield from host.without_call("sigmoid")
    yield from host.with_text(", nn.Sigmoid()", "")
    yield from host.renamed("BCEWithLogitsLoss", "BCELoss")
    yield from host.with_argument("bce", 0, "{} + 1")
    yield from host.with_argument("binary_cross_entropy", 1, "255 * {}")
    yield from host.with_argument("bce", 1, "{} - 2")
    yield from host.with_text("criterion(out, masks)", "nn.functional.binary_cross_entropy(out, masks)")
