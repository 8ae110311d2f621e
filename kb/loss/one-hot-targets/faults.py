def faults(host):
    yield from host.with_text("F.one_hot(actions,", "F.one_hot(actions.float(),")
    yield from host.with_text("num_classes=ACTIONS", "num_classes=ACTIONS - 1")
    for loss in ("criterion", "loss_fn", "cross_entropy", "nll_loss"):
        yield from host.with_argument(loss, 1, "nn.functional.one_hot({}.float()).argmax(-1)")
        yield from host.with_argument(loss, 1, "torch.nn.functional.one_hot({}.int(), 2)")
        yield from host.with_argument(loss, 1, "torch.nn.functional.one_hot({})")
