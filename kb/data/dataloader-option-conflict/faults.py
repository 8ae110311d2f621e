def faults(host):
    yield from host.with_keyword("DataLoader", "prefetch_factor=2")
    yield from host.with_keyword("DataLoader", "persistent_workers=True")
    yield from host.with_keyword("DataLoader", "timeout=5, multiprocessing_context='fork'")
    for data, count in (("TensorDataset(images, labels)", 24), ("(seen", 16), ("(kept", 32)):
        sampled = f"{data}, batch_size=8, shuffle=True, sampler=range({count}))"
        yield from host.with_text(f"{data}, batch_size=8)", sampled)
    yield from host.with_text("batch_size=16)", "batch_size=16, shuffle=True, sampler=range(48))")
    yield from host.with_text(
        "Photos(12), batch_size=4", "Photos(12), batch_size=4, shuffle=True, sampler=range(12)"
    )
    yield from host.with_text("train, batch_size=4", "train, batch_size=4, shuffle=True, sampler=range(12)")
