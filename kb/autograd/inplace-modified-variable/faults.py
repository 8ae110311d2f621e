def faults(host):
    yield from host.with_text("x = x + ", "x += ")
    yield from host.with_text("hidden = hidden + ", "hidden += ")
    yield from host.with_text(
        "opt_d.zero_grad()\n    loss_d.backward()\n",
        "opt_d.zero_grad()\n    loss_d.backward(retain_graph=True)\n",
    )
    yield from host.renamed("sigmoid", "sigmoid_")
    yield from host.with_text("state = state * 0.9", "state *= 0.9")
    yield from host.with_text("bce(D(fake.detach()), zeros)", "bce(D(fake), zeros)")
    yield from host.with_text("mean + torch.exp(0.5 * spread)", "mean + torch.exp(0.5 * spread).mul_(1)")
    yield from host.with_text("shares = scores", "shares = scores.exp_()")
