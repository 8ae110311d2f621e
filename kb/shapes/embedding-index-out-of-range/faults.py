def faults(host):
    for size in ("{} - 1", "{} // 2", "2"):
        yield from host.with_argument("Embedding", 0, size)
    yield from host.with_argument("table", 0, "{} + 3")
    yield from host.with_argument("places", 0, "{} + 1")
    yield from host.with_argument("items", 0, "{} + 1")
    yield from host.with_argument("users", 0, "{} * 2")
