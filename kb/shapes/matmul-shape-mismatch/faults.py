def faults(host):
    yield from host.without_call("flatten")
    yield from host.with_argument("Linear", 0, "{} + 1")
    yield from host.with_argument("Linear", 0, "2 * ({})")
    yield from host.with_text("k.transpose(-2, -1)", "k")
