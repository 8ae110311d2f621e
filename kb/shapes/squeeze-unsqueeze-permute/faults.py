def faults(host):
    for dim in ("2", "3", "1"):
        for call in ("argmax", "softmax", "log_softmax"):
            yield from host.with_argument(call, 0, dim)
            yield from host.with_argument(call, "dim", dim)
        yield from host.with_argument("softmax", 1, dim)
    yield from host.with_argument("sum", 0, "3")
    yield from host.with_argument("transpose", 1, "5")
    yield from host.with_argument("squeeze", 0, "3")
    yield from host.with_text("permute(2, 0, 1)", "permute(0, 3, 1, 2)")
    yield from host.with_text("permute(0, 3, 1, 2)", "permute(2, 0, 1)")
    yield from host.with_text("permute(0, 3, 1, 2)", "permute(0, 2, 1)")
    yield from host.with_text("permute(0, 3, 1, 2)", "permute(0, 3, 1, 1)")
    yield from host.with_text("permute(1, 2, 0)", "permute(0, 2, 3, 1)")
