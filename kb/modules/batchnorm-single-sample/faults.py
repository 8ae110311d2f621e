def faults(host):
    yield from host.without_statement("eval")
    yield from host.with_text("start : start + 5]", "start : start + 1]")
    yield from host.with_text("(kept, batch_size=8)", "(kept, batch_size=31)")
    yield from host.with_text("model.train()\n", "model.train()\n    model(pictures[:1])\n")
    yield from host.with_text("views = pixels.permute", "views = pixels[:1].permute")
    yield from host.with_text(
        "torch.manual_seed(", "torch.nn.BatchNorm1d(4)(torch.ones(1, 4))\ntorch.manual_seed("
    )
    yield from host.with_text(
        "single, maps = trunk(views[:1])", "trunk.train()\n    single, maps = trunk(views[:1])"
    )
