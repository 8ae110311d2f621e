def faults(host):
    yield from host.with_text("F.one_hot(actions,", "F.one_hot(actions.float(),")
    yield from host.with_text("F.one_hot(actions,", "F.one_hot(actions.int(),")
    yield from host.with_text("num_classes=ACTIONS", "num_classes=ACTIONS - 1")
    if "BCE" in host.text or "ignore_index" in host.text:
        return  # whose targets are no classes from 0
    for loss in ("criterion", "loss_fn", "cross_entropy", "nll_loss"):
        for dtype in ("float", "int", "double"):
            yield from host.with_argument(loss, 1, f"torch.nn.functional.one_hot({{}}.{dtype}()).argmax(-1)")
