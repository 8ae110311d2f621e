def faults(host):
    for loss in ("criterion", "loss_fn", "cross_entropy", "nll_loss"):
        yield from host.with_argument(loss, 1, "{} + 1")
        yield from host.with_argument(loss, 1, "{} - 1")
    yield from host.with_text("nn.Linear(24, classes)", "nn.Linear(24, classes - 1)")
    yield from host.with_text("nn.Linear(hidden, classes)", "nn.Linear(hidden, classes - 1)")
    yield from host.with_text("nn.Linear(16, classes)", "nn.Linear(16, 1)")
    yield from host.with_text("CrossEntropyLoss(ignore_index=-100)", "CrossEntropyLoss(ignore_index=-1)")
