def faults(host):
    yield from host.without_call("float")
    for loss in ("criterion", "bce", "binary_cross_entropy", "mse_loss", "smooth_l1_loss", "BCELoss"):
        yield from host.with_argument(loss, 1, "{}.double()")
        yield from host.with_argument(loss, 1, "{}.long()")
        yield from host.with_argument(loss, 1, "{}.half()")
    yield from host.with_text("torch.tensor([1.0, 2.0])", "torch.tensor([1.0, 2.0], dtype=torch.float64)")
