def faults(host):
    yield from host.with_keyword("DataLoader", "prefetch_factor=2")
    yield from host.with_keyword("DataLoader", "persistent_workers=True")
    yield from host.with_keyword("DataLoader", "shuffle=True, sampler=[0, 1]")
    yield from host.with_keyword("DataLoader", "batch_sampler=[[0, 1]]")
