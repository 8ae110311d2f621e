def faults(host):
    yield from host.with_keyword("DataLoader", "prefetch_factor=2")
    yield from host.with_keyword("DataLoader", "persistent_workers=True")
    yield from host.with_keyword("DataLoader", "timeout=5, multiprocessing_context='fork'")
    yield from host.with_text("batch_size=8)", "batch_size=8, shuffle=True, sampler=range(24))")
    yield from host.with_text("batch_size=16)", "batch_size=16, shuffle=True, sampler=range(48))")
    yield from host.with_text(
        "Photos(12), batch_size=4", "Photos(12), batch_size=4, shuffle=True, sampler=range(12)"
    )
    yield from host.with_text("train, batch_size=4", "train, batch_size=4, shuffle=True, sampler=range(12)")
