def faults(host):
    yield from host.with_argument("scheduler", 0, "")
    yield from host.with_text("scheduler.step(total)", "scheduler.step()")
    yield from host.with_call("StepLR", "torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)")
    yield from host.with_call("StepLR", "torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=1)")
    yield from host.with_call("StepLR", "torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01)")
