def faults(host):
    yield from host.with_text("randint(0, USERS, (48,))", "randint(0, USERS, (48,)).float()")
    yield from host.with_text("randint(0, ITEMS, (48,))", "randint(0, ITEMS, (48,)).float()")
    for layer in ("table", "places", "users", "items"):
        yield from host.with_argument(layer, 0, "{}.float()")
        yield from host.with_argument(layer, 0, "{}.double()")
    yield from host.with_text("features[targets.argmax()]", "features[targets.argmax().float()]")
    yield from host.with_text("self.bias[item]", "self.bias[item.float()]")
