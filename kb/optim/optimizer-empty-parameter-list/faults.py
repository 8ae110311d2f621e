def faults(host):
    for optimizer in ("Adam", "AdamW", "SGD", "RMSprop", "Adagrad"):
        yield from host.with_argument(optimizer, 0, "[each for each in {} if each.dim() > 9]")
        yield from host.with_argument(optimizer, 0, "[]")
