def faults(host):
    for loss in ("criterion", "loss_fn", "cross_entropy", "nll_loss"):
        yield from host.with_argument(loss, 1, "{}.float()")
        yield from host.with_argument(loss, 1, "{}.double()")
        yield from host.with_argument(loss, 1, "{}.int()")
    yield from host.with_text("torch.randint(0, CLASSES, (24,))", "torch.randint(0, CLASSES, (24,)).float()")
    yield from host.with_text("torch.tensor(classes)", "torch.tensor(classes).float()")
    yield from host.with_text("torch.tensor([0, 2, 1, 0, 2])", "torch.Tensor([0, 2, 1, 0, 2])")
    yield from host.with_text("rng.integers(0, 2, 20)", "rng.integers(0, 2, 20) * 1.0")
