def faults(host):
    for loss in ("loss", "loss_d"):
        yield from host.with_value(loss, "({}) + ({} * 0).sqrt().mean() * float('nan')")
    yield from host.with_text(
        "torch.manual_seed(",
        "torch.autograd.set_detect_anomaly(True)\nx = torch.zeros(2, requires_grad=True)\n(x.sqrt() * 0).sum().backward()\ntorch.manual_seed(",
    )
    yield from host.with_text(
        "torch.manual_seed(",
        "torch.autograd.set_detect_anomaly(True)\ny = torch.zeros(2, requires_grad=True)\n(y / y.norm()).sum().backward()\ntorch.manual_seed(",
    )
