def faults(host):
    for loss in ("criterion", "loss_fn", "cross_entropy", "nll_loss"):
        yield from host.with_argument(loss, 1, "{}.unsqueeze(1)")
        yield from host.with_argument(loss, 1, "{}.unsqueeze(1).expand(-1, 2)")
    yield from host.with_text("torch.tensor(classes)", "torch.tensor([[each] for each in classes])")
