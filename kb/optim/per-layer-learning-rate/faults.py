def faults(host):
    for optimizer in ("Adam", "AdamW", "SGD", "RMSprop", "Adagrad"):
        yield from host.with_argument(optimizer, 0, "[{'params': {}}, {'params': {}, 'lr': 0.1}]")
        yield from host.with_argument(optimizer, 0, "[[*{}]]")
        yield from host.with_argument(optimizer, 0, "[{'params': {}}, [*{}]]")
