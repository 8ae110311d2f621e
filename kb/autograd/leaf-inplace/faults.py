def faults(host):
    yield from host.with_text("optimizer.step()", 'optimizer.param_groups[0]["params"][0].sub_(0.1)')
    yield from host.with_text("opt.step()", 'opt.param_groups[0]["params"][0].sub_(0.1)')
    yield from host.with_call("Parameter", "{}.normal_()")
    yield from host.with_text(
        "torch.manual_seed(", "w = torch.ones(3, requires_grad=True)\nw += 1\ntorch.manual_seed("
    )
    yield from host.with_text(
        "torch.manual_seed(", "w = torch.ones(3, requires_grad=True)\nw[0] = 2\ntorch.manual_seed("
    )
