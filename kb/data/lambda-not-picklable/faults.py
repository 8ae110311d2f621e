def faults(host):
    yield from host.with_argument("save", 0, "[{}, lambda x: x]")
    yield from host.with_argument("save", 0, '{"state": {}, "made": lambda: 3}')
    yield from host.with_argument("save", 0, "[{}, open(__file__)]")
    yield from host.with_keyword(
        "DataLoader", 'num_workers=1, multiprocessing_context="spawn", worker_init_fn=lambda at: None'
    )
