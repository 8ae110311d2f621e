def faults(host):
    yield from host.with_text(".bfloat16())", ")")
    for call in ("randn", "rand"):
        yield from host.with_call(call, "{}.half()")
        yield from host.with_call(call, "{}.bfloat16()")
    yield from host.with_text(".float() / 255", ".half() / 255")
    for model in ("model", "net", "encoder", "D", "G", "own"):
        yield from host.with_argument(model, 0, "{}.half()")
        yield from host.with_argument(model, 0, "{}.bfloat16()")
    for model in ("trunk", "reader", "target", "alone"):
        yield from host.with_argument(model, 0, "{}.half()")
