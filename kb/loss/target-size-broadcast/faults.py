def faults(host):
    yield from host.without_call("squeeze")
    for loss in ("criterion", "bce", "binary_cross_entropy", "mse_loss"):
        yield from host.with_argument(loss, 1, "{}.unsqueeze(1)")
        yield from host.with_argument(loss, 0, "{}.unsqueeze(1)")
        yield from host.with_argument(loss, 1, "{}.flatten()")
    yield from host.with_text("self.body(x).view(-1)", "self.body(x)")
    yield from host.with_text(", keepdim=True", "")
