def faults(host):
    for call in ("view", "reshape"):
        for place in range(3):
            yield from host.with_argument(call, place, "{} + 1")
    yield from host.with_argument("view", 1, "-1")
    yield from host.with_text("// heads", "// heads + 1")
