def faults(host):
    for place in range(3):
        yield from host.with_argument("unsqueeze", place, "5")
        yield from host.with_argument("transpose", place, "7")
        yield from host.with_argument("squeeze", place, "6")
    yield from host.with_text("permute(2, 0, 1)", "permute(2, 0, 1, 3)")
    yield from host.with_text("permute(0, 3, 1, 2)", "permute(0, 2, 1)")
    yield from host.with_text("permute(0, 3, 1, 2)", "permute(0, 3, 1, 1)")
    yield from host.with_text("argmax(1)", "argmax(2)")
    yield from host.with_text("softmax(1)", "softmax(3)")
    yield from host.with_text("argmax(-1)", "argmax(4)")
    yield from host.with_text("sum(1)", "sum(4)")
