def faults(host):
    for loss in ("criterion", "loss_fn", "cross_entropy", "nll_loss"):
        yield from host.with_argument(loss, 1, "{} + 1")
        yield from host.with_argument(loss, 1, "{} - 1")
    yield from host.with_text("randint(0, CLASSES", "randint(1, CLASSES + 1")
    yield from host.with_text("nn.Linear(24, classes)", "nn.Linear(24, classes - 1)")
    yield from host.with_text("nn.Linear(hidden, classes)", "nn.Linear(hidden, classes - 1)")
    yield from host.with_text("nn.Linear(16, classes)", "nn.Linear(16, 1)")
    yield from host.with_text("ignore_index=-100", "ignore_index=-1")
