def faults(host):
    for name in ("loss", "loss_d", "loss_g"):
        yield from host.with_value(name, "({}).detach()")
        yield from host.with_value(name, "torch.tensor(({}).item())")
        yield from host.with_value(name, "torch.tensor(({}).item(), requires_grad=False)")
    for model in ("model", "net", "tagger", "student", "G"):
        yield from host.with_call(model, "{}.detach()")
        yield from host.with_call(model, "{}.data")
    yield from host.with_text("torch.manual_seed", "torch.set_grad_enabled(False)\ntorch.manual_seed")
    yield from host.with_text("choice.log_prob(action)", "choice.log_prob(action).detach()")
