def faults(host):
    yield from host.with_text("scheduler.step(total)", "scheduler.step()")
    yield from host.with_argument("OneCycleLR", "total_steps", "2")
    yield from host.without_argument("OneCycleLR", "total_steps")
    yield from host.with_call("StepLR", "torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)")
    yield from host.with_call("StepLR", "torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=1)")
    yield from host.with_call("StepLR", "torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01)")
